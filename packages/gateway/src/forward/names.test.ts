import type { LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { startUpstream } from '../testing/index.ts';
import { upstreamLookup } from './lookup.ts';
import { Names } from './names.ts';
import { Upstream } from './upstream.ts';

type Told = Parameters<Parameters<LookupFunction>[2]>;

const failed = (code: string) => Object.assign(new Error(code), { code });

/** Names whose server answers when the test says so. */
function stand(patienceMs = 60_000) {
  const open: ((...told: Told) => void)[] = [];
  const clock = { now: 0 };
  const lookup: LookupFunction = (_host, _options, done) => void open.push(done);
  const names = new Names({ lookup, now: () => clock.now, patienceMs });
  const ask = (options: LookupOptions = {}) =>
    new Promise<string>((resolve) => {
      names.lookup('shop.test', options, (error, address) => resolve(error?.code ?? String(address)));
    });
  const server = (...told: Told) => open.shift()?.(...told);
  return { names, ask, server, clock, open };
}

describe('the names of upstreams', () => {
  test('are looked up each time anew, once for all who ask meanwhile', async () => {
    const { ask, server, open } = stand();
    const both = Promise.all([ask(), ask()]);
    expect(open).toHaveLength(1);
    server(null, '10.0.0.1', 4);
    expect(await both).toEqual(['10.0.0.1', '10.0.0.1']);
    const third = ask();
    server(null, '10.0.0.2', 4);
    expect(await third).toBe('10.0.0.2');
  });

  test('keep their last answer while name servers fail, and whoever runs the gateway is told', async () => {
    const { names, ask, server, clock } = stand();
    const first = ask();
    server(null, '10.0.0.1', 4);
    await first;
    expect(names.problem).toBeUndefined();
    const second = ask();
    server(failed('EAI_AGAIN'), '', 4);
    expect(await second).toBe('10.0.0.1');
    expect(names.problem).toContain('shop.test (EAI_AGAIN)');
    expect(await ask(), 'at once from then on, the server asked beside').toBe('10.0.0.1');
    server(null, '10.0.0.2', 4);
    expect(names.problem).toBeUndefined();
    clock.now += 86_400_001;
    const late = ask();
    server(failed('EAI_AGAIN'), '', 4);
    expect(await late, 'for a day').toBe('EAI_AGAIN');
  });

  describe('that fail are no problem any more', () => {
    const family = { family: 4 };

    /** Answered once, with both options, and failing since. */
    async function failing() {
      const standing = stand();
      const { ask, server, names } = standing;
      for (const options of [{}, family]) {
        const first = ask(options);
        server(null, '10.0.0.1', 4);
        await first;
      }
      const second = ask();
      server(failed('EAI_AGAIN'), '', 4);
      await second;
      expect(names.problem).toContain('shop.test');
      return standing;
    }

    test('once they were found with other options', async () => {
      const { names, ask, server } = await failing();
      const other = ask(family);
      server(null, '10.0.0.1', 4);
      await other;
      expect(names.problem).toBeUndefined();
    });

    test('once no upstream has them', async () => {
      const { names } = await failing();
      names.retain(new Set(['shop.test']));
      expect(names.problem).toContain('shop.test');
      names.retain(new Set(['other.test']));
      expect(names.problem).toBeUndefined();
    });

    test('once nobody has asked for them for a while', async () => {
      const { names, clock } = await failing();
      clock.now += 300_001;
      expect(names.problem).toBeUndefined();
    });
  });

  test('keep it while a name server is silent', async () => {
    const { names, ask, server, open } = stand(1);
    const first = ask();
    server(null, '10.0.0.1', 4);
    await first;
    expect(await Promise.all([ask(), ask()])).toEqual(['10.0.0.1', '10.0.0.1']);
    expect(await ask()).toBe('10.0.0.1');
    expect(names.problem).toContain('shop.test (no answer)');
    expect(open, 'one look-up at a time').toHaveLength(1);
    server(null, '10.0.0.2', 4);
    const next = ask();
    server(null, '10.0.0.3', 4);
    expect(await next).toBe('10.0.0.3');
  });

  test('that fail for want of descriptors blame no name server', async () => {
    const { names, ask, server } = stand();
    const first = ask();
    server(null, '10.0.0.1', 4);
    await first;
    const second = ask();
    server(failed('EMFILE'), '', 4);
    expect(await second).toBe('10.0.0.1');
    expect(names.problem).toBe(
      'Names cannot be resolved: shop.test (EMFILE); the last known address is used',
    );
  });

  test('that are said not to exist are gone', async () => {
    const { ask, server } = stand();
    const first = ask();
    server(null, '10.0.0.1', 4);
    await first;
    for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
      const asked = ask();
      server(failed(code), '', 4);
      expect(await asked).toBe(code);
    }
  });
});

test('an open connection is taken before one that would have to be opened', async () => {
  let answers = true;
  const lookup: LookupFunction = (_host, _options, done) =>
    answers ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(failed('ENOTFOUND'), [], 4);
  await using server = await startUpstream((request, response) => {
    // The first connection is closed by its answer, the second stays.
    response.setHeader('Connection', request.url === '/first' ? 'close' : 'keep-alive').end('hello');
  });
  const times = { connectMs: 5000, headersMs: 5000, bodyMs: 5000 };
  const origin = `http://shop.test:${server.port}`;
  const { pool } = new Upstream(origin, { ...times, verifyTls: true, ca: '' }, upstreamLookup(lookup));
  const get = async (path: string) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path });
    await body.text();
    return statusCode;
  };
  const free = () => vi.waitFor(() => expect(pool.stats).toMatchObject({ connected: 1, free: 1 }));
  expect(await Promise.all([get('/first'), get('/second')])).toEqual([200, 200]);
  answers = false;
  for (let i = 0; i < 3; i++) {
    await free();
    expect(await get('/second')).toBe(200);
  }
  await pool.destroy();
});
