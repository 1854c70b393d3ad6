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
  const binding = bindingOf(visitor);
  const signature = ring.sign('captcha', [salt, picture.answer, expires, ...binding]);
  const stamp = ring.sign('captcha token', [salt, expires, ...binding]);
  const token = [salt, expires.toString(36), signature, stamp].join('~');
  return { png: picture.png, token };
}

/** A token of ours, whose answer is not yet looked at. */
export interface ReadCaptcha {
  readonly ok: true;
  readonly salt: string;
  /** of the right answer */
  readonly signed: (text: string) => boolean;
}

/** @returns refused where it is not ours, not this visitor's, or over: then there is nothing to remember of it */
export function readCaptcha(
  ring: KeyRing,
  visitor: Visitor,
  token: string,
  now: number,
): ReadCaptcha | { readonly ok: false; readonly reason: 'malformed' | 'forged' | 'expired' } {
  const fields = /^([\w-]{22})~([0-9a-z]{1,8})~([^~]{1,128})~([^~]{1,128})$/.exec(token);
  if (!fields) return { ok: false, reason: 'malformed' };
  const [, salt = '', expiry = '', signature = '', stamp = ''] = fields;
  const expires = Number.parseInt(expiry, 36);
  const binding = bindingOf(visitor);
  if (!ring.verify('captcha token', [salt, expires, ...binding], stamp))
    return { ok: false, reason: 'forged' };
  if (expires * 1000 <= now) return { ok: false, reason: 'expired' };
  return {
    ok: true,
    salt,
    signed: (text) => ring.verify('captcha', [salt, text, expires, ...binding], signature),
  };
}

/** @param text as the visitor typed it: case and spaces do not count */
export function isAnswer({ signed }: ReadCaptcha, text: string): boolean {
  return signed(text.slice(0, 64).replaceAll(/\s/g, '').toUpperCase());
}
