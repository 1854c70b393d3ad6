import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { upstreamLookup } from './lookup.ts';
import { Upstream } from './upstream.ts';

const leadsTo =
  (...addresses: string[]): LookupFunction =>
  (_host, { all }, done) =>
    all
      ? done(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        )
      : done(null, addresses[0] ?? '', 4);

const options = { connectMs: 5000, headersMs: 5000, bodyMs: 5000, verifyTls: true, ca: '' };

describe('the name of an upstream', () => {
  it.each([[['169.254.169.254']], [['127.0.0.1', '169.254.169.254']]])(
    'is not followed to %j, where credentials of the machine are handed out',
    async (addresses) => {
      const lookup = upstreamLookup(leadsTo(...addresses));
      const upstream = new Upstream('http://shop.example.com:1', options, lookup);
      for (const way of [upstream.pool, upstream.fresh()]) {
        await expect(way.request({ method: 'GET', path: '/' })).rejects.toThrow('hands out credentials');
        await way.destroy();
      }
      const { promise, resolve } = Promise.withResolvers<Error | null>();
      lookup('shop.example.com', {}, resolve);
      expect(String(await promise)).toContain(addresses.length === 1 ? 'hands out' : 'null');
    },
  );

  it('is followed to any other address, one of this machine too', async () => {
    const upstream = new Upstream('http://shop.example.com:1', options, upstreamLookup(leadsTo('127.0.0.1')));
    await expect(upstream.pool.request({ method: 'GET', path: '/' })).rejects.toThrow('ECONNREFUSED');
    await upstream.pool.destroy();
  });
});
