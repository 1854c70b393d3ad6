import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Worst } from './asking-thread.ts';
import { snapshotOf } from './large.ts';
import { type Shape, startPublished } from './published.ts';

/** How long a request took at most. */
export interface Stall {
  /** while nothing happened: what the machine itself does */
  readonly quiet: readonly Worst[];
  /** of each swap, while it went on */
  readonly swapping: readonly Worst[];
  /** of each swap: milliseconds that the gateway itself worked at a stretch */
  readonly own: readonly number[];
}

/** between two requests of one client, so that a stall of a few milliseconds is met by one */
const everyMs = 2;
const clients = 4;

/**
 * A gateway with so many sites is given a snapshot in which one of them differs, again and again, while clients ask.
 */
export async function measureSwap(
  shape: Shape,
  { sites, swaps, addresses }: { sites: number; swaps: number; addresses: number },
): Promise<Stall> {
  const workerData = { sites, clients, everyMs };
  const asking = new Worker(path.join(import.meta.dirname, 'asking-thread.ts'), { workerData });
  const [upstream] = (await once(asking, 'message')) as [string];
  const gateway = await startPublished(shape, { watched: true });
  const snapshot = (version: number) =>
    snapshotOf({ version, sites, addresses, upstream, changed: `change ${version}` });
  await gateway.publish(snapshot(1));
  asking.postMessage({ port: gateway.part.port, pid: gateway.part.pid });
  const worst = async () => {
    asking.postMessage('worst');
    const [slowest] = (await once(asking, 'message')) as [Worst];
    return slowest;
  };
  const during = async (work: () => Promise<unknown>) => {
    await worst();
    await work();
    return await worst();
  };
  const quiet: Worst[] = [];
  const swapping: Worst[] = [];
  const own: number[] = [];
  for (let turn = 0; turn < swaps; turn += 1) {
    // What follows a swap, such as the file of the last good configuration, is through by then.
    await delay(3000);
    quiet.push(await during(() => delay(2000)));
    const next = snapshot(turn + 2);
    gateway.ownWorstMs();
    swapping.push(await during(() => gateway.publish(next)));
    own.push(gateway.ownWorstMs());
  }
  await asking.terminate();
  await gateway.stop();
  return { quiet, swapping, own };
}
