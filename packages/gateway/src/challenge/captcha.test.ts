import { inflateSync } from 'node:zlib';
import { parseAddress } from '@portcullis/contract/access';
import { describe, expect, it } from 'vitest';
import { checkCaptcha, createCaptcha } from './captcha.ts';
import { KeyRing } from './index.ts';
import { Pictures } from './pictures.ts';
import { encodePng } from './png.ts';

const ring = new KeyRing([]);
const who = { siteId: 'shop', address: parseAddress('192.0.2.7')!, userAgent: 'x' };
const salt = 'A'.repeat(22);

describe('the answer to a captcha', () => {
  const picture = { answer: 'K7XWA', png: Buffer.alloc(0) };
  const { token } = createCaptcha(ring, who, { now: 0, salt, picture });

  it.each(['K7XWA', 'k7xwa', ' k7 xwa '])('is read from "%s"', (text) => {
    expect(checkCaptcha(ring, who, { token, text, now: 299_999 })).toEqual({ ok: true, salt });
  });

  it.each([
    ['K7XWB', 0, 'wrong'],
    ['', 0, 'wrong'],
    ['K7XWA', 300_000, 'expired'],
  ])('is refused: "%s" after %i ms is %s', (text, now, reason) => {
    expect(checkCaptcha(ring, who, { token, text, now })).toEqual({ ok: false, reason });
  });

  it('belongs to one visitor and cannot be read from the token', () => {
    const other = { ...who, siteId: 'blog' };
    expect(checkCaptcha(ring, other, { token, text: 'K7XWA', now: 0 }).ok).toBe(false);
    expect(token).not.toContain('K7XWA');
  });
});

describe('pictures', () => {
  it('differ, and are drawn no faster than a flood may cost', () => {
    const pictures = new Pictures(Math.random);
    const drawn = new Set(Array.from({ length: 200 }, () => pictures.next(0)));
    expect(drawn.size).toBe(20);
    expect(new Set([...drawn].map(({ answer }) => answer)).size).toBeGreaterThan(15);
    expect(drawn.has(pictures.next(1000))).toBe(false);
  });

  it('are PNG as the standard has it', () => {
    const pixels = Uint8Array.from([0, 127, 255, 1, 2, 3]);
    const png = encodePng({ width: 3, height: 2, pixels });
    const length = png.readUInt32BE(33);
    expect(png.subarray(37, 41).toString()).toBe('IDAT');
    expect([...inflateSync(png.subarray(41, 41 + length))]).toEqual([0, 0, 127, 255, 0, 1, 2, 3]);
  });
});
