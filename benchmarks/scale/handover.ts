import { setTimeout as delay } from 'node:timers/promises';
import type { Machines } from './machines.ts';

/**
 * The link's share of a change: so many gateways' ends of it, in this process, without gateways behind them.
 * @returns for each change and link the milliseconds from the answer that it is saved until it was handed over
 */
export async function measureHandover(
  { call, openLink }: Machines,
  { links: count, changes }: { links: number; changes: number },
): Promise<number[]> {
  const site = await call('POST', '/api/sites', {
    name: 'Handed over',
    domains: ['handover.example.com'],
    backend_url: 'http://127.0.0.1:9',
  });
  const newest = Array.from({ length: count }, () => ({ version: 0, at: 0 }));
  const links = newest.map((held) => {
    const link = openLink();
    link.source.start((directive) => {
      if (directive.type === 'snapshot')
        Object.assign(held, { version: directive.snapshot.version, at: Date.now() });
    });
    return link;
  });
  while (newest.some(({ version }) => version === 0)) await delay(20);
  const times: number[] = [];
  for (let turn = 0; turn < changes; turn += 1) {
    const before = newest.map(({ version }) => version);
    await call('PUT', `/api/sites/${site.id}`, { description: `change ${turn}` });
    const saved = Date.now();
    while (newest.some(({ version }, index) => version === before[index])) await delay(2);
    times.push(...newest.map(({ at }) => Math.max(0, at - saved)));
  }
  for (const link of links) await link.stop();
  return times;
}
