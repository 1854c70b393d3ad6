import type { SystemSample } from '@portcullis/contract/monitoring';

/** Who measures the machine. @returns ends the subscription */
type Subscribe = (listener: (sample: Pick<SystemSample, 'cpu_usage'>) => void) => () => void;

/**
 * Averages the processor use that monitoring shows, so that a notification and the console speak of one figure: of
 * the container where its share of the machine is limited.
 * @param subscribe to the samples
 * @returns a look: mean percent of the samples since the look before; undefined where there was none
 */
export function loadMeter(subscribe: Subscribe): () => number | undefined {
  let sum = 0;
  let samples = 0;
  subscribe((sample) => {
    sum += sample.cpu_usage;
    samples++;
  });
  return () => {
    const mean = samples > 0 ? sum / samples : undefined;
    sum = 0;
    samples = 0;
    return mean;
  };
}
