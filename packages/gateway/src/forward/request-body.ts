import { Readable } from 'node:stream';
import type { ClientRequest } from '../exchange/index.ts';

/**
 * What the client still sends, as a stream that the upstream side may destroy: destroying the request itself would
 * take the client's connection along, and with it the page that says why.
 */
export function requestBody(request: ClientRequest): Readable {
  const body = new Readable({
    read: () => void request.resume(),
    destroy: (error, done) => {
      request.off('data', onData);
      done(error);
    },
  });
  const onData = (chunk: Buffer) => {
    if (!body.push(chunk)) request.pause();
  };
  request.on('data', onData);
  request.once('end', () => body.push(null));
  request.once('close', () => {
    if (!request.readableEnded) body.destroy(new Error('the client broke off its request'));
  });
  return body;
}
