// Clients and the upstream in a thread of their own, so that what the publisher does beside them is not taken for the
// gateway's stall.
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createAsker, startUpstream } from './asking.ts';
import { hostOf } from './large.ts';

const { sites, clients, everyMs } = workerData as Record<'sites' | 'clients' | 'everyMs', number>;
let worst = 0;

function begin(port: number): void {
  const asker = createAsker(port, clients);
  for (let lane = 0; lane < clients; lane += 1) {
    void (async () => {
      for (let turn = lane; ; turn += clients) {
        worst = Math.max(worst, await asker.ask(hostOf(turn % sites)));
        await delay(everyMs);
      }
    })();
  }
}

parentPort?.on('message', (message: { readonly port: number } | 'worst') => {
  if (message !== 'worst') {
    begin(message.port);
    return;
  }
  parentPort?.postMessage(worst);
  worst = 0;
});
parentPort?.postMessage((await startUpstream()).url);
