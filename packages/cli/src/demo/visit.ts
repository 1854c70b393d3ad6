import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { demoHost } from './site.ts';
import { hostile, ordinary, type Visit, visitorAddress } from './visitors.ts';

/** About eight visits a second, one in six hostile: lively on a chart, and nothing to a machine. */
const pauseMs = 120;
const hostileEvery = 6;

/** Visits the demo site through the gateway until the process is told to stop. */
export async function visitForever(gatewayPort: number, signal: AbortSignal): Promise<void> {
  for (let number = 0; !signal.aborted; number += 1) {
    const visits = number % hostileEvery === hostileEvery - 1 ? hostile : ordinary;
    const visit = visits[Math.floor(Math.random() * visits.length)];
    if (visit) await makeVisit(visit, gatewayPort, visitorAddress(Math.floor(Math.random() * 120)));
    await delay(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
}

/** @returns once the answer was read or the gateway could not be reached: a visitor just tries again later */
function makeVisit(visit: Visit, port: number, localAddress: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const headers = {
    host: `${demoHost}:${port}`,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    accept: 'text/html,application/json;q=0.9,*/*;q=0.8',
    ...visit.headers,
    ...(visit.body !== undefined && { 'content-length': String(Buffer.byteLength(visit.body)) }),
  };
  const outgoing = request(
    // Only Linux answers on the whole loopback range without being told to.
    {
      host: '127.0.0.1',
      port,
      path: visit.path,
      method: visit.method,
      headers,
      agent: false,
      ...(process.platform === 'linux' && { localAddress }),
    },
    (answer) => {
      answer.resume();
      answer.on('close', () => resolve());
    },
  );
  outgoing.on('error', () => resolve());
  outgoing.end(visit.body);
  return promise;
}
