import type { KeyRing } from './key-ring.ts';
import type { Picture } from './pictures.ts';
import { answerSeconds } from './puzzle.ts';
import { bindingOf, type Visitor } from './visitor.ts';

/** A picture to read. The token holds the answer only as a MAC, so it can stand in the page. */
export interface Captcha {
  readonly png: Buffer;
  readonly token: string;
}

/** @param salt 16 random bytes, base64url */
export function createCaptcha(
  ring: KeyRing,
  visitor: Visitor,
  options: { now: number; salt: string; picture: Picture },
): Captcha {
  const { now, salt, picture } = options;
  const expires = Math.floor(now / 1000) + answerSeconds;
  const signature = ring.sign('captcha', [salt, picture.answer, expires, ...bindingOf(visitor)]);
  const token = [salt, expires.toString(36), signature].join('~');
  return { png: picture.png, token };
}

export type ReadCaptcha =
  | { readonly ok: true; readonly salt: string }
  | { readonly ok: false; readonly reason: 'malformed' | 'expired' | 'wrong' };

/** @param text as the visitor typed it: case and spaces do not count */
export function checkCaptcha(
  ring: KeyRing,
  visitor: Visitor,
  answer: { token: string; text: string; now: number },
): ReadCaptcha {
  const fields = /^([\w-]{22})~([0-9a-z]{1,8})~(.{1,128})$/.exec(answer.token);
  if (!fields) return { ok: false, reason: 'malformed' };
  const [, salt = '', expiry = '', signature = ''] = fields;
  const expires = Number.parseInt(expiry, 36);
  if (expires * 1000 <= answer.now) return { ok: false, reason: 'expired' };
  const text = answer.text.slice(0, 64).replaceAll(/\s/g, '').toUpperCase();
  const right = ring.verify('captcha', [salt, text, expires, ...bindingOf(visitor)], signature);
  return right ? { ok: true, salt } : { ok: false, reason: 'wrong' };
}
