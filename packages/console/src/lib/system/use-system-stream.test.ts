import { expect, it } from 'vitest';
import { addSample, historyLimit, type LiveSample } from './use-system-stream.ts';

const sample = (network: number) => ({
  ...{ cpu_usage: 1, memory_usage: 2, disk_usage: 3 },
  ...{ memory_used: 1, memory_total: 2, disk_used: 1, disk_total: 2 },
  ...{ network_in: network, network_out: 2 * network },
});

it('keeps the last thirty samples', () => {
  let history: readonly LiveSample[] = [];
  for (let at = 1; at <= 35; at++) history = addSample(history, sample(at), at * 1000);
  expect(historyLimit).toBe(30);
  expect(history).toHaveLength(30);
  expect(history[0]?.at).toBe(6_000);
  expect(history.at(-1)?.at).toBe(35_000);
});

it('measures network rates between two samples, and none over a restart of the counters', () => {
  const first = addSample([], sample(1_000), 10_000);
  expect(first[0]).toMatchObject({ inRate: undefined, outRate: undefined });
  const second = addSample(first, sample(5_000), 12_000);
  expect(second[1]).toMatchObject({ inRate: 2_000, outRate: 4_000 });
  expect(addSample(second, sample(0), 14_000)[2]).toMatchObject({ inRate: undefined, outRate: undefined });
});
