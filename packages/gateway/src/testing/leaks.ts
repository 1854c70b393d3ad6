import { once } from 'node:events';
import { queryObjects } from 'node:v8';
import { Exchange } from '../exchange/index.ts';

/** @returns connections of this process, clients', gateways' and upstreams' ends each counted */
export function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

/** Resolves once no more than `count` connections are open; a test that waits for ever has found a leak. */
export async function socketsDownTo(count: number): Promise<void> {
  while (openSockets() > count) await turn();
}

/**
 * Resolves once the collector finds no more than `count` exchanges alive: what is still reachable then, a listener
 * or a timer holds for good. An event whose stack is still unwinding may keep the last one for a moment.
 */
export async function exchangesDownTo(count: number): Promise<void> {
  while (queryObjects(Exchange, { format: 'count' }) > count) await turn();
}

/** One round of the event loop, closing callbacks included. */
async function turn(): Promise<void> {
  const signal = AbortSignal.timeout(10);
  await once(signal, 'abort');
}
