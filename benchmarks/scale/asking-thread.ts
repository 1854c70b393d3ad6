// Clients and the upstream in a thread of their own, so that what the publisher does beside them is not taken for the
// gateway's stall.
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Account } from '../gateway/account.ts';
import { createAsker, startUpstream } from './asking.ts';
import { hostOf } from './large.ts';

const { sites, clients, everyMs } = workerData as Record<'sites' | 'clients' | 'everyMs', number>;
/** Milliseconds of the slowest request, and of the slowest less the time in which it stood ready and had no core. */
export interface Worst {
  readonly ms: number;
  readonly coreFreeMs: number;
}
let worst: Worst = { ms: 0, coreFreeMs: 0 };

function begin({ port, pid }: { readonly port: number; readonly pid: number }): void {
  const asker = createAsker(port, clients);
  const accounts = ['thread-self', `${pid}`].map((of) => new Account(of));
  const waits = () =>
    accounts.map((account) => {
      account.read();
      return account.waitedMs;
    });
  for (let lane = 0; lane < clients; lane += 1) {
    void (async () => {
      for (let turn = lane; ; turn += clients) {
        const before = waits();
        const ms = await asker.ask(hostOf(turn % sites));
        // Both may have waited at once: the longer of the two alone is sure.
        const waited = Math.max(...waits().map((after, at) => after - (before[at] ?? after)));
        worst = { ms: Math.max(worst.ms, ms), coreFreeMs: Math.max(worst.coreFreeMs, ms - waited) };
        await delay(everyMs);
      }
    })();
  }
}

parentPort?.on('message', (message: { readonly port: number; readonly pid: number } | 'worst') => {
  if (message !== 'worst') {
    begin(message);
    return;
  }
  parentPort?.postMessage(worst);
  worst = { ms: 0, coreFreeMs: 0 };
});
parentPort?.postMessage((await startUpstream()).url);
