import { inflateSync } from 'node:zlib';
import { parseAddress } from '@portcullis/contract/access';
import { describe, expect, it } from 'vitest';
import { createCaptcha, isAnswer, readCaptcha } from './captcha.ts';
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
    const read = readCaptcha(ring, who, token, 299_999);
    expect(read).toMatchObject({ ok: true, salt });
    expect(read.ok && isAnswer(read, text)).toBe(true);
  });

  it.each(['K7XWB', ''])('is wrong: "%s"', (text) => {
    const read = readCaptcha(ring, who, token, 0);
    expect(read.ok && !isAnswer(read, text)).toBe(true);
  });

  it('is not looked at where its time is over, or where nobody was shown the picture', () => {
    expect(readCaptcha(ring, who, token, 300_000)).toEqual({ ok: false, reason: 'expired' });
    const made = token.replace(salt, 'B'.repeat(22));
    expect(readCaptcha(ring, who, made, 0)).toEqual({ ok: false, reason: 'forged' });
    expect(readCaptcha(ring, who, salt, 0)).toEqual({ ok: false, reason: 'malformed' });
  });

  it('belongs to one visitor and cannot be read from the token', () => {
    const other = { ...who, siteId: 'blog' };
    expect(readCaptcha(ring, other, token, 0).ok).toBe(false);
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
