import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { endpoint } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { failure, success } from '../outcome.ts';
import type { Authentication } from './access.ts';
import { createApp } from './app.ts';
import { serve } from './serve.ts';

const greet = endpoint({
  method: 'POST',
  path: '/greetings/{id}',
  access: { anyOf: ['site:create'] },
  summary: 'A call to test with',
  params: z.object({ id: z.string().max(8) }),
  query: z.object({
    times: z.coerce.number().int().max(3).default(1),
    version: z.coerce.number().int().min(1).optional(),
  }),
  body: z.object({
    name: z.string().min(1, 'Name is required'),
    age: z.number(),
    mood: z.enum(['calm', 'stern']).optional(),
  }),
  response: z.object({ text: z.string() }),
});
const found = endpoint({
  method: 'GET',
  path: '/found',
  access: 'public',
  summary: 'What was looked for',
  query: z.object({ page: z.coerce.number().int().min(1).default(1) }),
  response: z.object({ page: z.number() }),
});
const open = endpoint({ method: 'GET', path: '/open', access: 'public', summary: 'Open to all' });
const door = endpoint({
  method: 'POST',
  path: '/door',
  access: 'public',
  summary: 'Open to all, with a body',
  body: z.string(),
});
const own = endpoint({
  method: 'POST',
  path: '/own',
  access: 'session',
  summary: 'For people',
  body: z.string(),
});
const limited = endpoint({ method: 'GET', path: '/limited', access: 'public', summary: 'At its limit' });
const broken = endpoint({ method: 'GET', path: '/broken', access: 'public', summary: 'A bug' });

const authentications: Record<string, Authentication> = {
  admin: {
    status: 'signed-in',
    actor: { userId: 'u', email: 'a@example.com', role: 'admin', permissions: ['site:create'] },
  },
  leaving: {
    status: 'signed-in',
    actor: {
      userId: 'l',
      email: 'l@example.com',
      role: 'admin',
      permissions: ['site:create'],
      sessionId: 's',
    },
  },
  nobody: { status: 'signed-in', actor: { userId: 'n', email: 'n@example.com', role: '', permissions: [] } },
  old: { status: 'ended' },
};

describe('the HTTP server', () => {
  let app: FastifyInstance;
  let base: string;
  let consoleDir: string;
  const logged: string[] = [];
  const asked: string[] = [];
  const ended = new Set<string>();

  beforeEach(async () => {
    consoleDir = await mkdtemp(path.join(tmpdir(), 'portcullis-console-'));
    await mkdir(path.join(consoleDir, 'assets'));
    await writeFile(path.join(consoleDir, 'index.html'), '<script src="/assets/main-abc.js"></script>');
    const script = path.join(consoleDir, 'assets', 'main-abc.js');
    await writeFile(script, 'export {}');
    await writeFile(`${script}.br`, brotliCompressSync('export {}'));
    await writeFile(`${script}.gz`, gzipSync('export {}'));
    await writeFile(path.join(consoleDir, 'favicon.svg'), '<svg/>');
    logged.length = 0;
    asked.length = 0;
    ended.clear();
    const log = { info: () => {}, warn: () => {}, error: (message: string) => void logged.push(message) };
    app = await createApp({
      log,
      adminHost: '127.0.0.1',
      publicUrl: 'https://console.example.com',
      consoleDir,
      authenticate: async ({ headers }) => {
        const name = String(headers.authorization).replace('Bearer ', '');
        asked.push(name);
        return ended.has(name) ? { status: 'ended' } : (authentications[name] ?? { status: 'absent' });
      },
      crossOrigin: async () => ({ corsEnabled: false, allowedOrigins: [] }),
      notReady: async () => 'storage is on holiday',
    });
    serve(app, greet, async ({ params, query, body }) =>
      success({ text: `${body.name} ${params.id} ${query.times}`, secret: 'never' }),
    );
    serve(app, found, async ({ query }) => success(query));
    serve(app, open, async () => success(undefined));
    serve(app, door, async () => success(undefined));
    serve(app, own, async () => success(undefined));
    serve(app, limited, async () => failure('too_many_requests', { retryAfterSeconds: 1.2 }));
    serve(app, broken, async () => {
      throw new Error('secret detail');
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    await app.close();
    await rm(consoleDir, { recursive: true });
  });

  const post = (body: string, headers: Record<string, string> = {}, query = '') =>
    fetch(`${base}/api/greetings/one${query}`, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer admin', 'content-type': 'application/json', ...headers },
    });

  it('answers with the fields of the contract and no others', async () => {
    const response = await post('{"name":"Ada","age":36}', {}, '?times=2');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ text: 'Ada one 2' });
  });

  it('names everything that is wrong with the input at once', async () => {
    const response = await post('{"name":"","age":"old"}', {}, '?times=9');
    expect(response.status).toBe(422);
    const body = (await response.json()) as {
      error: string;
      message: string;
      issues: { path: string; message: string }[];
    };
    expect(body.error).toBe(body.message);
    expect(Object.fromEntries(body.issues.map(({ path, message }) => [path, message]))).toEqual({
      age: 'A value of the type number belongs here',
      name: 'Name is required',
      'query.times': 'At most 3',
    });
  });

  it('says of a field that is missing no more than that, and which words a choice takes', async () => {
    const response = await post('{"mood":"loud"}', {});
    const { issues } = (await response.json()) as { issues: { path: string; message: string }[] };
    expect(issues).toEqual([
      { path: 'name', message: 'This field is required' },
      { path: 'age', message: 'This field is required' },
      { path: 'mood', message: 'One of these belongs here: calm, stern' },
    ]);
  });

  it('says the one thing that is wrong in its sentence too', async () => {
    const response = await post('{"name":"Ada"}', {});
    expect(await response.json()).toEqual({
      error: 'age: This field is required',
      message: 'age: This field is required',
      code: 'validation_failed',
      issues: [{ path: 'age', message: 'This field is required' }],
    });
  });

  it('says a sentence of the contract as it stands there, for it names what it is about', async () => {
    const response = await post('{"name":"","age":36}', {});
    expect(await response.json()).toMatchObject({
      message: 'Name is required',
      issues: [{ path: 'name', message: 'Name is required' }],
    });
  });

  it('takes a parameter without a value for one that was left out where it reads, and refuses it where it changes', async () => {
    const found = await fetch(`${base}/api/found?page=&x`);
    expect([found.status, await found.json()]).toEqual([200, { page: 1 }]);
    const changed = await post('{"name":"Ada","age":36}', {}, '?version=');
    expect(changed.status).toBe(422);
    expect(await changed.json()).toMatchObject({ issues: [{ path: 'query.version' }] });
  });

  it('names the methods that a path takes, where another one is asked for', async () => {
    const answers = await Promise.all(
      [
        ['DELETE', '/api/greetings/one'],
        ['PUT', '/api/open/'],
        ['POST', '/api/nothing'],
        ['GET', '/api/greetings/one/more'],
        ['POST', `/api/greetings/${'x'.repeat(200)}`],
      ].map(([method = '', where]) => fetch(`${base}${where}`, { method })),
    );
    expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
      [405, 'POST, OPTIONS'],
      [405, 'GET, OPTIONS, HEAD'],
      [404, null],
      [404, null],
      [404, null],
    ]);
    const { hostname, port } = new URL(base);
    for (const method of ['GET', 'DELETE']) {
      const sent = request({ hostname, port, method, path: '/api/x/../open' }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 404, undefined]);
    }
  });

  const refusedBodies: [string, string, string, number, string][] = [
    ['no JSON', '{"name":', 'application/json', 400, 'malformed_body'],
    ['an attempt on the prototype', '{"__proto__":{"a":1}}', 'application/json', 400, 'malformed_body'],
    ['endless nesting', `${'['.repeat(50)}${']'.repeat(50)}`, 'application/json', 400, 'malformed_body'],
    ['a name twice', '{"name":"a","age":1,"name":"b"}', 'application/json', 400, 'malformed_body'],
    ['nothing at all', '', 'application/json', 422, 'validation_failed'],
    ['a form', 'name=Ada', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['too much', `"${'a'.repeat(4_200_000)}"`, 'application/json', 413, 'body_too_large'],
  ];
  it.each(refusedBodies)('refuses a body that is %s', async (_what, body, type, status, code) => {
    const response = await post(body, { 'content-type': type });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  });

  const callers: [string, number, string][] = [
    ['stranger', 401, 'not_signed_in'],
    ['old', 401, 'session_expired'],
    ['nobody', 403, 'forbidden'],
  ];
  it.each(callers)('refuses a caller who is %s before reading the input', async (token, status, code) => {
    const response = await post('{', { authorization: `Bearer ${token}` });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  });

  it('answers 204 without a body, and Retry-After on a limit', async () => {
    const done = await fetch(`${base}/api/open`);
    expect([done.status, await done.text()]).toEqual([204, '']);
    const refused = await fetch(`${base}/api/limited`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  });

  it('asks once more who calls when a slow body is there, for a session can end meanwhile', async () => {
    const sending = request(`${base}/api/greetings/one`, {
      method: 'POST',
      headers: { authorization: 'Bearer leaving', 'content-type': 'application/json' },
    });
    sending.write('{"name":"Ada",');
    await vi.waitFor(() => expect(asked).toContain('leaving'), { timeout: 30_000, interval: 10 });
    ended.add('leaving');
    sending.end('"age":36}');
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(401);
    response.resume();
  });

  it('takes little from strangers and from everybody who is signed in, for reading JSON holds all up', async () => {
    const send = (path: string, length: number) =>
      fetch(`${base}/api/${path}`, {
        method: 'POST',
        body: `"${'a'.repeat(length)}"`,
        headers: { authorization: 'Bearer leaving', 'content-type': 'application/json' },
      });
    const statuses = await Promise.all([
      send('door', 1000),
      send('door', 17_000),
      send('own', 60_000),
      send('own', 66_000),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([204, 413, 204, 413]);
  });

  it('searches for the words of an escaped NUL, and refuses one', async () => {
    const ask = (id: string) => post('{"name":"Ada","age":36}', {}, `?times=1&note=${id}`);
    expect((await ask('%5Cu0000')).status).toBe(200);
    expect((await ask('%00')).status).toBe(422);
  });

  it('tells a bug to the log and not to the client', async () => {
    const response = await fetch(`${base}/api/broken`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret detail');
    expect(logged).toEqual(['A call failed']);
  });

  it('serves the console for every path of a page, with a policy that lets nothing inline run', async () => {
    for (const route of ['/', '/sites', '/profile/2fa']) {
      const page = await fetch(base + route);
      expect(await page.text()).toContain('<script src=');
      const policy = page.headers.get('content-security-policy');
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("style-src 'self';");
      expect(policy).not.toContain('unsafe');
    }
    expect((await fetch(`${base}/favicon.svg`)).status).toBe(200);
  });

  it('hands out hashed files for ever, compressed where the build laid a copy beside them', async () => {
    const encodings = ['br', 'gzip', 'identity'];
    const answers = await Promise.all(
      encodings.map((encoding) =>
        fetch(`${base}/assets/main-abc.js`, { headers: { 'accept-encoding': encoding } }),
      ),
    );
    expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null]);
    for (const answer of answers) {
      expect(answer.headers.get('cache-control')).toContain('immutable');
      expect(answer.headers.get('content-type')).toContain('javascript');
      expect(await answer.text()).toBe('export {}');
    }
  });

  it('answers a path that no address has with 404 too, and logs nothing of it', async () => {
    const { hostname, port } = new URL(base);
    for (const target of ['//', '/\\', '//[', '//x:y', '//a%20b', '//:80/api/open']) {
      const sent = request({ hostname, port, method: 'POST', path: target }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      expect([target, answer.statusCode]).toEqual([target, 404]);
    }
    expect(logged).toEqual([]);
  });

  it('answers an unknown call or file with 404 in the form of an error', async () => {
    for (const missing of ['/api/nothing', '/assets/none.js', '/..%2f..%2fetc/passwd.txt', '/%']) {
      const response = await fetch(base + missing);
      expect([missing, response.status]).toEqual([missing, 404]);
      expect(await response.json()).toMatchObject({ code: 'not_found' });
    }
  });

  it('does not answer to a name that is not its own, so that a rebinding page gets nothing', async () => {
    const statusFor = (host: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      request(`${base}/healthz`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
      return promise;
    };
    expect(await statusFor('attacker.example')).toBe(421);
    for (const host of ['localhost:7080', '[::1]:7080', 'console.example.com', '192.168.1.4']) {
      expect([host, await statusFor(host)]).toEqual([host, 200]);
    }
  });

  it('says in /readyz why it is not ready', async () => {
    const response = await fetch(`${base}/readyz`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'not ready', reason: 'storage is on holiday' },
    ]);
  });
});
