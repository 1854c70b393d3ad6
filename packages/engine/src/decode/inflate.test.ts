import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inflate } from './index.ts';

describe('inflate', () => {
  for (const [name, compress] of Object.entries({ gzipSync, deflateSync, deflateRawSync })) {
    test(`undoes ${name}`, () => {
      const bodies = fc
        .uint8Array({ maxLength: 5000 })
        .chain((noise) => fc.constantFrom(noise, new Uint8Array(70_000)));
      fc.assert(
        fc.property(bodies, fc.integer({ min: 0, max: 9 }), (body, level) => {
          const out = inflate(compress(body, { level }), 100_000);
          expect(out.end).toBe('complete');
          expect(Buffer.from(out.bytes).equals(Buffer.from(body))).toBe(true);
        }),
        { numRuns: 60 },
      );
    });
  }

  test('reads every member of gzip, and what follows the last is no more of it', () => {
    const members = Buffer.concat([gzipSync('one '), gzipSync(''), gzipSync('two', { level: 0 })]);
    expect(Buffer.from(inflate(members, 100).bytes).toString()).toBe('one two');
    expect(inflate(members, 5)).toMatchObject({ end: 'bounded' });
    const junk = inflate(Buffer.concat([members, Buffer.from('junk')]), 100);
    expect([junk.end, Buffer.from(junk.bytes).toString()]).toEqual(['complete', 'one two']);
    expect(inflate(Buffer.concat([members, members.subarray(0, 12)]), 100).end).toBe('malformed');
  });

  test('stops a bomb at the bound', () => {
    const out = inflate(gzipSync(Buffer.alloc(20_000_000)), 10_000);
    expect(out).toMatchObject({ end: 'bounded' });
    expect(out.bytes.length).toBe(10_000);
  });

  test('keeps what came before the stream broke', () => {
    const whole = gzipSync(Buffer.from('hello '.repeat(500) + Math.PI.toString().repeat(50)));
    const out = inflate(whole.subarray(0, whole.length - 20), 10_000);
    expect(out.end).toBe('malformed');
    expect(Buffer.from(out.bytes).toString().startsWith('hello')).toBe(true);
  });

  test('takes no stored block whose length is not said twice, RFC 1951 §3.2.4', () => {
    const block = gzipSync('hello', { level: 0 });
    expect(inflate(block, 100).end).toBe('complete');
    block[13] = 0;
    expect(inflate(block, 100).end).toBe('malformed');
  });

  test('any bytes end without a throw and within the bound', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(inflate(bytes, 1000).bytes.length).toBeLessThanOrEqual(1000);
      }),
      { numRuns: 2000 },
    );
  });
});
