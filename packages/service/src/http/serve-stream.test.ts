import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoint } from '@portcullis/contract/api';
import { EventExportQuery } from '@portcullis/contract/events';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Log } from '../log.ts';
import { success } from '../outcome.ts';
import type { Authentication } from './access.ts';
import { createApp } from './app.ts';
import { serve, serveStream } from './serve.ts';

const endless = endpoint({
  method: 'GET',
  path: '/endless',
  access: { anyOf: ['audit:export'] },
  summary: 'Text without an end',
  query: EventExportQuery,
  produces: ['text/plain'],
});
const long = endpoint({
  method: 'GET',
  path: '/long',
  access: { anyOf: ['audit:export'] },
  summary: 'A long list as JSON',
  response: z.object({ entries: z.array(z.string()) }),
});
const signedIn = (permissions: ('audit:export' | 'audit:view')[]): Authentication => ({
  status: 'signed-in',
  actor: { userId: 'usr_1', email: 'a@example.com', role: 'operator', permissions },
});
const chunk = 'x'.repeat(1024 * 1024);
const soon = { timeout: 30_000, interval: 20 };

describe('a streamed answer', () => {
  let app: FastifyInstance;
  let port: number;
  let made: number;
  let ended: boolean;
  let caller: Authentication;
  async function* text() {
    try {
      for (;;) {
        made += 1;
        yield chunk;
        await new Promise(setImmediate);
      }
    } finally {
      ended = true;
    }
  }
  const ask = async () => {
    const asking = request({ port, path: '/api/endless', agent: false }).end();
    asking.on('error', () => {});
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    return { asking, response };
  };

  const begin = (error: Log['error'] = () => {}) =>
    createApp({
      log: { info: () => {}, warn: () => {}, error },
      adminHost: '127.0.0.1',
      authenticate: async () => caller,
      crossOrigin: async () => ({ corsEnabled: false, allowedOrigins: [] }),
      notReady: async () => undefined,
    });
  const listen = async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.server.address() as AddressInfo).port;
  };

  beforeEach(async () => {
    made = 0;
    ended = false;
    caller = signedIn(['audit:export']);
    app = await begin();
    serveStream(app, endless, async () => success({ type: 'text/plain', filename: 'x.txt', text: text() }));
    await listen();
  });
  afterEach(() => app.close());

  it('is not begun for a HEAD, which would read all of it to send nothing', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/endless`, { method: 'HEAD' });
    expect([answer.status, made]).toEqual([405, 0]);
  });

  it('is made no faster than its reader takes it', async () => {
    const { asking, response } = await ask();
    response.pause();
    // Sockets hold some megabytes; then nothing more is made until the reader goes on.
    let before = -1;
    await vi.waitFor(
      () => {
        const [last, now] = [before, made];
        before = now;
        expect(now).toBe(last);
      },
      { timeout: 30_000, interval: 200 },
    );
    const stopped = made;
    expect(stopped).toBeLessThan(64);
    response.resume();
    await vi.waitFor(() => expect(made).toBeGreaterThan(stopped + 8), soon);
    asking.destroy();
  });

  it.each([
    ['its session', { status: 'ended' } as const],
    ['the permission for it', signedIn(['audit:view'])],
  ])('breaks off with %s, and is not taken for the whole', async (_what, then) => {
    const { response } = await ask();
    response.resume();
    await vi.waitFor(() => expect(made).toBeGreaterThan(2), soon);
    caller = then;
    await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(ended).toBe(true);
  });

  it('breaks off with its session also where its reader reads nothing', async () => {
    const { response } = await ask();
    response.pause();
    response.on('error', () => {});
    await vi.waitFor(() => expect(made).toBeGreaterThan(0), soon);
    caller = { status: 'ended' };
    const open = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));
    await vi.waitFor(async () => expect([ended, await open()]).toEqual([true, 0]), soon);
  });

  describe('of JSON', () => {
    const many = Array.from({ length: 1_500_000 }, (_, n) => `10.${n}`);
    let entries: string[];
    let logged: string[];
    beforeEach(async () => {
      entries = many;
      logged = [];
      await app.close();
      app = await begin((message, { reason } = {}) => logged.push(`${message} ${reason}`));
      serve(app, long, async () => success({ entries }));
      await listen();
    });
    const url = () => `http://127.0.0.1:${port}/api/long`;

    it('is whole where it is long, and has its length where it is short', async () => {
      entries = many.slice(0, 200_000);
      const { headers, body } = await fetch(url()).then(async (one) => ({
        headers: one.headers,
        body: await one.json(),
      }));
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(body).toEqual({ entries });
      entries = ['192.0.2.1'];
      const short = await fetch(url());
      expect([short.headers.get('content-length'), await short.text()]).toEqual([
        '25',
        '{"entries":["192.0.2.1"]}',
      ]);
    });

    it('is not made for a HEAD', async () => {
      const { status, headers } = await fetch(url(), { method: 'HEAD' });
      expect([status, headers.get('content-length')]).toEqual([200, null]);
    });

    it('breaks off with the permission for it, and is not taken for the whole', async () => {
      const asking = request({ port, path: '/api/long', agent: false }).end();
      const [response] = (await once(asking, 'response')) as [IncomingMessage];
      response.pause();
      response.on('error', () => {});
      caller = signedIn(['audit:view']);
      const open = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));
      await vi.waitFor(async () => expect(await open()).toBe(0), soon);
      response.resume();
      await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(logged).toEqual([]);
    });

    it('breaks off where what follows does not fit its schema, and the log says so', async () => {
      entries = [...many.slice(0, 500_000), 7 as unknown as string];
      const answer = await fetch(url());
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow();
      expect(logged).toEqual([expect.stringContaining('A call failed')]);
    });
  });

  it('lets others have their turn while it is made', async () => {
    let [inOneTurn, most] = [0, 0];
    async function* busy() {
      for (let piece = 0; piece < 200; piece += 1) {
        const until = performance.now() + 1;
        while (performance.now() < until);
        if (inOneTurn === 0) {
          setImmediate(() => {
            inOneTurn = 0;
          });
        }
        inOneTurn += 1;
        most = Math.max(most, inOneTurn);
        yield 'x'.repeat(8192);
      }
    }
    await app.close();
    app = await begin();
    serveStream(app, endless, async () => success({ type: 'text/plain', filename: 'x.txt', text: busy() }));
    await listen();
    const answer = await fetch(`http://127.0.0.1:${port}/api/endless`);
    expect((await answer.text()).length).toBe(200 * 8192);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('ends with its reader', async () => {
    const { asking, response } = await ask();
    await once(response, 'data');
    asking.destroy();
    await vi.waitFor(() => expect(ended).toBe(true), soon);
  });
});
