import { describe, expect, it } from 'vitest';
import { SystemSampler } from '../system/index.ts';
import { loadMeter } from './machine-load.ts';

/** A sampler whose machine was busy by so many percent before each sample. */
function samplerOf(busy: readonly number[]) {
  const cpu = { used: 0, capacity: 0 };
  const left = [...busy];
  return new SystemSampler({
    log: { info: () => {}, warn: () => {}, error: () => {} },
    now: () => 0,
    async readHost() {
      cpu.used += left.shift() ?? 0;
      cpu.capacity += 100;
      return {
        cpu: { ...cpu },
        memory: { used: 1, total: 2 },
        disk: { used: 1, total: 2 },
        network: { received: 0, sent: 0 },
      };
    },
  });
}

describe('the load that notifications look at', () => {
  it('is the mean of what monitoring sampled since the look before', async () => {
    const sampler = samplerOf([0, 90, 70, 20]);
    const look = loadMeter((listener) => sampler.subscribe(listener));
    await sampler.sample();
    expect(look()).toBeUndefined();
    await sampler.sample();
    await sampler.sample();
    expect(look()).toBe(80);
    expect(look()).toBeUndefined();
    await sampler.sample();
    expect(look()).toBe(20);
  });
});
