import type { CDPSession } from '@playwright/test';

/** What a page has fetched so far. */
export interface Weight {
  readonly scripts: readonly string[];
  /** bytes over the wire, content encoding applied, headers included */
  readonly scriptBytes: number;
  readonly styleBytes: number;
  readonly requests: number;
}

/** Counts what the network brings from now on. @returns reads the sums */
export async function weigh(session: CDPSession): Promise<() => Weight> {
  const kinds = new Map<string, string>();
  const scripts: string[] = [];
  const sums = { Script: 0, Stylesheet: 0, requests: 0 };
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    kinds.set(requestId, type);
    if (type === 'Script') scripts.push(response.url);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    sums.requests += 1;
    if (kind === 'Script' || kind === 'Stylesheet') sums[kind] += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  return () => ({ scripts, scriptBytes: sums.Script, styleBytes: sums.Stylesheet, requests: sums.requests });
}

/** @returns bytes of the files as a client gets them that knows gzip alone */
export async function gzippedBytes(addresses: Iterable<string>): Promise<number> {
  let sum = 0;
  for (const address of addresses) {
    const answer = await fetch(address, { headers: { 'accept-encoding': 'gzip' } });
    const plain = await answer.arrayBuffer();
    sum += Number(answer.headers.get('content-length') ?? plain.byteLength);
  }
  return sum;
}
