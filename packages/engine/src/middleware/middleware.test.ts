import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { afterEach, describe, expect, test } from 'vitest';
import { app as expressApp } from '../../examples/express/main.ts';
import { app as fastifyApp } from '../../examples/fastify/main.ts';
import { app as honoApp } from '../../examples/hono/main.ts';
import { server as nodeServer } from '../../examples/node-http/main.ts';
import { policy } from '../../examples/policy.ts';
import { inspect, type Policy } from '../inspect/index.ts';
import { guardNode } from './index.ts';

interface Started {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

async function listen(server: ReturnType<typeof createServer>): Promise<Started> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

const examples: Record<string, () => Promise<Started>> = {
  'node:http': () => listen(nodeServer),
  express: () => listen(createServer(expressApp as RequestListener)),
  fastify: async () => {
    const url = await fastifyApp.listen({ port: 0, host: '127.0.0.1' });
    return { url, stop: () => fastifyApp.close() };
  },
  hono: () => listen(createAdaptorServer({ fetch: honoApp.fetch }) as ReturnType<typeof createServer>),
};

describe.each(Object.keys(examples))('the %s example', (name) => {
  let started: Started | undefined;
  afterEach(async () => started?.stop());

  test('answers, hands bodies of every size on whole, and refuses attacks in query and body', async () => {
    started = await examples[name]?.();
    const url = started?.url ?? '';
    const send = async (path: string, body?: string) => {
      const init =
        body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'text/plain' } };
      const answer = await fetch(`${url}${path}`, init);
      return { status: answer.status, text: await answer.text() };
    };
    expect(await send('/?q=hello')).toEqual({ status: 200, text: 'GET /?q=hello\n' });
    for (const size of [1, 1000, 90_000, policy.limits.maxBodyBytes - 1]) {
      const body = 'x'.repeat(size);
      if (name !== 'express' || size < 100_000)
        expect(await send('/', body)).toEqual({ status: 200, text: `POST /\n${body}` });
    }
    expect((await send('/', '')).status).toBe(200);
    expect((await send(`/?q=${encodeURIComponent("1' or '1'='1")}`)).status).toBe(403);
    const refused = await send('/', '<script>alert(1)</script>');
    expect(refused.status).toBe(403);
    expect(refused.text).not.toContain('script');
  });
});

describe('guardNode', () => {
  let started: Started | undefined;
  afterEach(async () => started?.stop());

  test('streams what lies beyond the inspected prefix', async () => {
    const small: Policy = { ...policy, limits: { ...policy.limits, maxBodyBytes: 1000 } };
    started = await listen(
      createServer(
        guardNode({ policy: small }, (request, response) => {
          let length = 0;
          request.on('data', (chunk: Buffer) => {
            length += chunk.length;
          });
          request.on('end', () => response.end(String(length)));
        }),
      ),
    );
    const answer = await fetch(started.url, { method: 'POST', body: 'y'.repeat(3_000_000) });
    expect(await answer.text()).toBe('3000000');
  });

  test('a budget that is spent follows its mode', async () => {
    let now = 0;
    const clock = () => {
      now += 100;
      return now;
    };
    const answers: number[] = [];
    for (const onOverBudget of ['pass', 'block'] as const) {
      const guarded = await listen(
        createServer(
          guardNode({ policy, budget: { clock, maxMs: 1 }, onOverBudget }, (_request, response) =>
            response.end('ok'),
          ),
        ),
      );
      answers.push((await fetch(`${guarded.url}/?q=abcdef`)).status);
      await guarded.stop();
    }
    expect(answers).toEqual([200, 403]);
    expect(
      inspect(policy, {
        method: 'GET',
        target: '/?q=abcdef',
        httpVersion: '1.1',
        scheme: 'http',
        headers: [],
        clientIp: '',
      }).decision,
    ).toBe('pass');
  });
});
