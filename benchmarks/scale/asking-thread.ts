// Clients in a thread of their own, so that what the publisher does beside them is not taken for the gateway's stall.
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createAsker } from './asking.ts';
import { hostOf } from './large.ts';

const { port, sites, clients, everyMs } = workerData as Record<
  'port' | 'sites' | 'clients' | 'everyMs',
  number
>;
const asker = createAsker(port, clients);
let worst = 0;
parentPort?.on('message', () => {
  parentPort?.postMessage(worst);
  worst = 0;
});
for (let lane = 0; lane < clients; lane += 1) {
  void (async () => {
    for (let turn = lane; ; turn += clients) {
      worst = Math.max(worst, await asker.ask(hostOf(turn % sites)));
      await delay(everyMs);
    }
  })();
}
