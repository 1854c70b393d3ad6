import { hash } from 'node:crypto';
import type { BotProtection } from '@portcullis/contract/sites';
import type { KeyRing } from './key-ring.ts';
import type { ChallengeKind } from './pass.ts';
import { bindingOf, type Visitor } from './visitor.ts';

export type Difficulty = BotProtection['difficulty'];

/**
 * Zero bits that each piece asks for. Ten pieces instead of one hard one, for the time of a single search scatters
 * widely and of ten in a row by a third. Expected hashes: 2^bits × 10, at about half a million to two million a second
 * in a current browser, so that medium takes about one; see benchmarks/challenge.ts.
 */
const bitsOf: Record<Difficulty, number> = { low: 14, medium: 16, high: 18 };
export const puzzlePieces = 10;

/** Seconds that a visitor may take to answer. */
export const answerSeconds = 300;

/** A proof of work as the page gets it. It holds its own signature; the gateway remembers nothing. */
export interface Puzzle {
  /** each piece hashes `salt.piece.nonce` */
  readonly salt: string;
  readonly bits: number;
  readonly pieces: number;
  /** to be sent back with the nonces */
  readonly token: string;
}

/**
 * @param grants what a solved puzzle is worth: `captcha` for the way round a picture
 * @param salt 16 random bytes, base64url
 */
export function createPuzzle(
  ring: KeyRing,
  visitor: Visitor,
  options: { difficulty: Difficulty; grants: ChallengeKind; now: number; salt: string },
): Puzzle {
  const { difficulty, grants, now, salt } = options;
  const bits = bitsOf[difficulty];
  const expires = Math.floor(now / 1000) + answerSeconds;
  const signature = ring.sign('puzzle', [salt, bits, grants, expires, ...bindingOf(visitor)]);
  const token = [salt, bits, grants, expires.toString(36), signature].join('~');
  return { salt, bits, pieces: puzzlePieces, token };
}

export type SolvedPuzzle =
  | { readonly ok: true; readonly grants: ChallengeKind; readonly salt: string }
  | { readonly ok: false; readonly reason: 'malformed' | 'expired' | 'forged' | 'wrong' };

const no = (reason: 'malformed' | 'expired' | 'forged' | 'wrong'): SolvedPuzzle => ({ ok: false, reason });

/** @param nonces decimal numbers joined by commas, one a piece */
export function checkPuzzle(
  ring: KeyRing,
  visitor: Visitor,
  answer: { token: string; nonces: string; now: number },
): SolvedPuzzle {
  const fields = /^([\w-]{22})~(\d{1,2})~(js|captcha)~([0-9a-z]{1,8})~(.{1,128})$/.exec(answer.token);
  if (!fields || !/^\d{1,15}(?:,\d{1,15})*$/.test(answer.nonces)) return no('malformed');
  const [, salt = '', bits = '', kind, expiry = '', signature = ''] = fields;
  const grants: ChallengeKind = kind === 'captcha' ? 'captcha' : 'js';
  const expires = Number.parseInt(expiry, 36);
  const signed = [salt, Number(bits), grants, expires, ...bindingOf(visitor)];
  if (!ring.verify('puzzle', signed, signature)) return no('forged');
  if (expires * 1000 <= answer.now) return no('expired');
  const nonces = answer.nonces.split(',', puzzlePieces + 1);
  if (nonces.length !== puzzlePieces) return no('malformed');
  const solved = nonces.every((nonce, piece) => zeroBits(`${salt}.${piece}.${nonce}`) >= Number(bits));
  return solved ? { ok: true, grants, salt } : no('wrong');
}

const zeroBits = (text: string) => Math.clz32(hash('sha256', text, 'buffer').readUInt32BE(0));
