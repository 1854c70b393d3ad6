import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ask, certificateFor, startGateway } from '../testing/index.ts';

let server: Server;
let port: number;
let ca: string;
const askedFor: (string | false | null)[] = [];

beforeAll(async () => {
  const { chain, privateKey } = await certificateFor(['localhost']);
  ca = chain;
  server = createServer({ cert: chain, key: privateKey }, (request, response) => {
    response.end(`for ${request.headers.host}`);
  });
  server.on('secureConnection', (socket: TLSSocket) => askedFor.push(socket.servername));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const served = async (upstream: { ca?: string; verify_tls?: boolean }, host = 'localhost') =>
  startGateway({ sites: [{ backend_url: `https://${host}:${port}`, upstream }] });

test('an upstream is asked for by its own name, whatever host a client names, on one connection', async () => {
  await using gateway = await served({ ca });
  askedFor.length = 0;
  for (const host of ['one.example.com', 'two.example.com', 'one.example.com', 'other.example.org']) {
    const answer = await ask(gateway.port, '/', { headers: { Host: host } });
    expect(answer).toMatchObject({ status: 200, body: `for ${host}` });
  }
  expect(askedFor).toEqual(['localhost']);
});

test('an upstream whose certificate nobody vouches for, or is for another name, gets no request', async () => {
  const { chain: stranger } = await certificateFor(['localhost']);
  for (const trusted of [{}, { ca: stranger }]) {
    await using gateway = await served(trusted);
    expect(await ask(gateway.port, '/', { headers: { Host: 'localhost' } })).toMatchObject({ status: 502 });
  }
  await using gateway = await served({ ca }, '127.0.0.1');
  const answer = await ask(gateway.port, '/', { headers: { Host: 'one.example.com' } });
  expect(answer).toMatchObject({ status: 502 });
});

test('a site that does not verify its upstream reaches it under any certificate', async () => {
  await using gateway = await served({ verify_tls: false });
  const answer = await ask(gateway.port, '/', { headers: { Host: 'one.example.com' } });
  expect(answer).toMatchObject({ status: 200, body: 'for one.example.com' });
});

test('a health check asks for it by that name too', async () => {
  await using gateway = await startGateway({
    sites: [
      {
        domains: ['one.example.com'],
        backend_url: `https://localhost:${port}`,
        upstream: { ca },
        healthCheck: { enabled: true },
      },
    ],
  });
  await vi.waitFor(
    () => expect(gateway.sink.reports.at(-1)?.upstreams).toMatchObject([{ healthy: true, checksPassed: 1 }]),
    { timeout: 20_000 },
  );
});
