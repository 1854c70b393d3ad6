// Preloaded into a gateway: notes how much processor time its thread had between two turns of the event loop. On a machine
// with fewer cores than busy processes a request also waits because nobody gave the gateway a core, which no code can mend.
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.OWN_WORK_FILE;
/** Milliseconds, by the scheduler, which counts nanoseconds. @see proc_pid_schedstat(5) */
const ownMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;

if (isMainThread && file !== undefined && process.platform === 'linux') {
  let before = ownMs();
  setInterval(() => {
    const now = ownMs();
    if (now - before > 1) appendFileSync(file, `${(now - before).toFixed(1)}\n`);
    before = ownMs();
  }, 1).unref();
}
