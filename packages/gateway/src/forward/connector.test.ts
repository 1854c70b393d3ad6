import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connector } from './connector.ts';

/** More than the one buffer, than a socket and than a reader hold. */
const answerBytes = 400 * 1024;
const letters = [...'abcdefgh'];

let server: Server;
let pool: Pool;

beforeAll(async () => {
  // Each answers with its own letter, so that a byte of another would show.
  server = createServer(({ url = '/' }, response) => response.end((url[1] ?? '').repeat(answerBytes)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pool = new Pool(origin, { connect: connector(origin, { allowH2: false, timeout: 5000 }) });
});

afterAll(async () => {
  await pool.destroy();
  server.close();
});

const ask = (letter: string) => pool.request({ path: `/${letter}`, method: 'GET' });

test('answers that arrive at the same time on connections of their own do not mix', async () => {
  const bodies = await Promise.all(letters.map(async (letter) => (await ask(letter)).body.text()));
  expect(bodies.map((body) => body === body[0]?.repeat(answerBytes))).toEqual(letters.map(() => true));
  expect(bodies.map((body) => body[0])).toEqual(letters);
});
