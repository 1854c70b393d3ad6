import type { SystemSample } from '@portcullis/contract/monitoring';
import type { Log } from '../log.ts';
import type { HostReading } from './readings.ts';

/** Milliseconds between two samples. */
export const sampleEveryMs = 2000;

const percent = (part: number, whole: number) =>
  whole <= 0 ? 0 : Math.min(100, Math.max(0, Math.round((part / whole) * 1000) / 10));

/** @returns what the console draws; CPU is the share used between the two readings */
export function sampleOf(before: HostReading, now: HostReading, time: number): SystemSample {
  const { memory, disk, network } = now;
  return {
    cpu_usage: percent(now.cpu.used - before.cpu.used, now.cpu.capacity - before.cpu.capacity),
    memory_usage: percent(memory.used, memory.total),
    disk_usage: percent(disk.used, disk.total),
    memory_used: memory.used,
    memory_total: memory.total,
    disk_used: disk.used,
    disk_total: disk.total,
    network_in: network.received,
    network_out: network.sent,
    timestamp: new Date(time).toISOString(),
  };
}

export interface SamplerOptions {
  readonly log: Log;
  readonly now: () => number;
  readHost(): Promise<HostReading>;
}

/** Samples the host every two seconds and tells who listens. */
export class SystemSampler {
  readonly #options: SamplerOptions;
  readonly #listeners = new Set<(sample: SystemSample) => void>();
  #before: HostReading | undefined;
  #latest: SystemSample | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failing = false;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.sample(), sampleEveryMs);
    this.#timer.unref();
    void this.sample();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** the newest sample; undefined in the first two seconds */
  get latest(): SystemSample | undefined {
    return this.#latest;
  }

  /** @returns ends the subscription */
  subscribe(listener: (sample: SystemSample) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes one sample now. Never throws: a host that cannot be read is said once. */
  async sample(): Promise<void> {
    try {
      const reading = await this.#options.readHost();
      const before = this.#before;
      this.#before = reading;
      this.#failing = false;
      if (!before) return;
      const sample = sampleOf(before, reading, this.#options.now());
      this.#latest = sample;
      for (const listener of this.#listeners) listener(sample);
    } catch (error) {
      if (!this.#failing) this.#options.log.warn('The host cannot be measured', { reason: String(error) });
      this.#failing = true;
    }
  }
}
