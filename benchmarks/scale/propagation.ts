import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Machines } from './machines.ts';

/**
 * Saves a change so many times. A gateway writes its last good configuration after the swap, so the time of that file is
 * an upper bound of when the change was in force.
 * @returns for each change and gateway the milliseconds from the answer that says it is saved
 */
export async function measurePropagation({ call, gateways }: Machines, changes: number): Promise<number[]> {
  const files = gateways.map(({ dataDir }) => path.join(dataDir, 'gateway', 'last-good.json'));
  const site = await call('POST', '/api/sites', {
    name: 'Spread',
    domains: ['spread.example.com'],
    backend_url: 'http://127.0.0.1:9',
  });
  await delay(3000);
  const times: number[] = [];
  for (let turn = 0; turn < changes; turn += 1) {
    const before = files.map(written);
    await call('PUT', `/api/sites/${site.id}`, { description: `change ${turn}` });
    const began = Date.now();
    while (files.some((file, index) => written(file) === before[index])) await delay(20);
    for (const file of files) times.push(Math.max(0, written(file) - began));
  }
  return times;
}

const written = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
