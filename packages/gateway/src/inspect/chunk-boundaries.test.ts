import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startGateway, startUpstream } from '../testing/index.ts';

const bodies: readonly (readonly [type: string, body: string])[] = [
  ['application/x-www-form-urlencoded', "a=1&b=1'%20union%20select%20password%20from%20users--"],
  ['application/x-www-form-urlencoded', "name=Pat+O%27Brien&note=union+members+select+a+delegate; it's fine"],
  ['application/json', '{"a":{"b":["x","<script>alert(1)</script>"]}}'],
  ['application/json', '{"a":{"b":["x","if a < b then it\\u0027s fine"]}}'],
  ['text/xml', '<a b="1">; cat /etc/passwd</a>'],
  [
    'multipart/form-data; boundary=q',
    '--q\r\nContent-Disposition: form-data; name="f"\r\n\r\n<?php system($_GET[1]);\r\n--q--\r\n',
  ],
  [
    'multipart/form-data; boundary=q',
    '--q\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nplain text\r\n--q--\r\n',
  ],
];

/** Sends a body in pieces, each its own chunk and its own write, and gives the status of the answer. */
async function sendInPieces(port: number, type: string, pieces: readonly string[]): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  const answer: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => answer.push(chunk));
  // A refusal may come, and close, before all is said.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  socket.setNoDelay(true);
  socket.write(
    `POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  for (const piece of pieces) {
    socket.write(Buffer.from(`${piece.length.toString(16)}\r\n${piece}\r\n`, 'latin1'));
    await setImmediate();
  }
  socket.write('0\r\n\r\n');
  await closed;
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(Buffer.concat(answer).toString('latin1'))?.[1]);
}

describe('chunk boundaries', () => {
  test('wherever a body is cut, the verdict is that on the whole', async () => {
    await using upstream = await startUpstream();
    await using gateway = await startGateway({
      sites: [{ backend_url: upstream.url, rate_limit: { enabled: false } }],
    });
    const whole = new Map<string, number>();
    for (const [type, body] of bodies) whole.set(body, await sendInPieces(gateway.port, type, [body]));
    expect([...whole.values()].sort()).toEqual([200, 200, 200, 403, 403, 403, 403]);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bodies),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        async ([type, body], cuts) => {
          const places = [...new Set(cuts.map((cut) => Math.floor(cut * body.length)))].sort((a, b) => a - b);
          const pieces = [0, ...places].map((place, index) => body.slice(place, places[index]));
          expect(
            await sendInPieces(
              gateway.port,
              type,
              pieces.filter((piece) => piece !== ''),
            ),
          ).toBe(whole.get(body));
        },
      ),
      { numRuns: 120 },
    );
  }, 60_000);
});
