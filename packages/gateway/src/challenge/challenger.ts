import { randomBytes, randomInt } from 'node:crypto';
import type { SharedLimits } from '@portcullis/contract/link';
import type { SitePages } from '@portcullis/contract/sites';
import { createCaptcha, isAnswer, readCaptcha } from './captcha.ts';
import type { KeyRing } from './key-ring.ts';
import { captchaPage, challengeJson, type PageRequest, puzzlePage, type Reply } from './page.ts';
import { type ChallengeKind, hasPass, issuePass } from './pass.ts';
import { Pictures } from './pictures.ts';
import { answerSeconds, checkPuzzle, createPuzzle, type Difficulty } from './puzzle.ts';
import { UsedAnswers } from './used-answers.ts';
import type { Visitor } from './visitor.ts';

/** Where chance and time come from. */
export interface ChallengerOptions {
  /** the keys in force */
  readonly ring: () => KeyRing;
  /** Unix time in milliseconds */
  readonly now: () => number;
  /** {@link SharedLimits.claim} of all gateways; absent: each remembers for itself */
  readonly claim?: SharedLimits['claim'] | undefined;
}

/** How a visitor is challenged. */
export interface Ask {
  readonly kind: ChallengeKind;
  readonly difficulty: Difficulty;
  /** a program gets JSON instead of a page */
  readonly wantsPage: boolean;
  readonly texts: SitePages | undefined;
  readonly reference: string;
  readonly method: string;
  /** origin form: where the visitor was going */
  readonly target: string;
}

/** On what terms an answer is taken. */
export interface Terms extends Omit<Ask, 'kind' | 'target' | 'method'> {
  /** that the pass is worth */
  readonly seconds: number;
  /** the pass only goes back over HTTPS */
  readonly secure: boolean;
}

/** What an answer earned. */
export interface Answered {
  readonly passed: boolean;
  /** for the event, where it did not pass */
  readonly reason?: string;
  readonly reply: Reply;
}

/** Puts challenges to visitors and gives passes to those who solve them. Remembers only which answers were used. */
export class Challenger {
  readonly #options: ChallengerOptions;
  readonly #used = new UsedAnswers();
  readonly #pictures = new Pictures(random);

  constructor(options: ChallengerOptions) {
    this.#options = options;
  }

  /** @param cookies the Cookie header */
  hasPass(visitor: Visitor, cookies: string | undefined, needed: ChallengeKind): boolean {
    return hasPass(this.#options.ring(), visitor, cookies, { needed, now: this.#options.now() });
  }

  /** @returns the challenge as a page, or as JSON with a reason that a program can read */
  present(visitor: Visitor, ask: Ask, problem?: string): Reply {
    const now = this.#options.now();
    const request: PageRequest = {
      texts: ask.texts,
      reference: ask.reference,
      time: new Date(now).toISOString(),
      method: ask.method,
      nonce: randomBytes(16).toString('base64'),
    };
    if (!ask.wantsPage) return challengeJson(ask.kind, request);
    const ring = this.#options.ring();
    // The way round a picture costs the most that a visitor is ever asked for.
    const difficulty = ask.kind === 'captcha' ? 'high' : ask.difficulty;
    const puzzle = createPuzzle(ring, visitor, { difficulty, grants: ask.kind, now, salt: newSalt() });
    if (ask.kind === 'js') return puzzlePage(puzzle, request);
    const captcha = createCaptcha(ring, visitor, { now, salt: newSalt(), picture: this.#pictures.next(now) });
    const returnTo = ask.method === 'GET' ? ownPath(ask.target) : '/';
    return captchaPage(captcha, puzzle, { ...request, returnTo, problem });
  }

  /**
   * Judges what was sent to the challenge's endpoint.
   * @param form `token` with `nonces` from the script, or with `answer` and `return` from the captcha's form
   */
  async answer(visitor: Visitor, form: URLSearchParams, options: Terms): Promise<Answered> {
    return form.has('answer')
      ? this.#answerCaptcha(visitor, form, options)
      : this.#answerPuzzle(visitor, form, options);
  }

  async #answerPuzzle(visitor: Visitor, form: URLSearchParams, options: Terms): Promise<Answered> {
    const now = this.#options.now();
    const ring = this.#options.ring();
    const answer = { token: form.get('token') ?? '', nonces: form.get('nonces') ?? '', now };
    const solved = checkPuzzle(ring, visitor, answer);
    if (!solved.ok) return failed(options, solved.reason);
    if (!(await this.#isFirstUse(solved.salt))) return failed(options, usedBefore);
    const { seconds, secure } = options;
    const cookie = issuePass(ring, visitor, { kind: solved.grants, seconds, now, secure });
    const headers = ['Set-Cookie', cookie, 'Cache-Control', 'no-store'];
    return { passed: true, reply: { status: 200, headers, body: '' } };
  }

  async #answerCaptcha(visitor: Visitor, form: URLSearchParams, options: Terms): Promise<Answered> {
    const now = this.#options.now();
    const ring = this.#options.ring();
    const returnTo = ownPath(form.get('return') ?? '/');
    const again = (reason: string): Answered => {
      const problem = 'Those were not the characters in the picture. Here is another one.';
      const ask: Ask = { ...options, kind: 'captcha', method: 'GET', target: returnTo };
      return { passed: false, reason, reply: this.present(visitor, ask, problem) };
    };
    const read = readCaptcha(ring, visitor, form.get('token') ?? '', now);
    if (!read.ok) return again(read.reason);
    // Before the answer is looked at: a picture takes one guess, right or wrong.
    if (!(await this.#isFirstUse(read.salt))) return again(usedBefore);
    if (!isAnswer(read, form.get('answer') ?? '')) return again('wrong');
    const { seconds, secure } = options;
    const cookie = issuePass(ring, visitor, { kind: 'captcha', seconds, now, secure });
    const headers = ['Location', returnTo, 'Set-Cookie', cookie, 'Cache-Control', 'no-store'];
    return { passed: true, reply: { status: 303, headers, body: '' } };
  }

  /** Here, and over all gateways where they share what was used. */
  async #isFirstUse(salt: string): Promise<boolean> {
    if (!this.#used.use(salt)) return false;
    // Where no answer came in time this gateway's own memory counts: a visitor could not mend that.
    return (await this.#options.claim?.(salt, answerSeconds * 1000)) ?? true;
  }
}

const usedBefore = 'used before';

function failed({ reference }: Terms, reason: string): Answered {
  const message = 'The check did not succeed.';
  const told = { error: message, message, code: 'challenge_failed', requestId: reference };
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'];
  return { passed: false, reason, reply: { status: 403, headers, body: `${JSON.stringify(told)}\n` } };
}

const newSalt = () => randomBytes(16).toString('base64url');
const random = () => randomInt(2 ** 32) / 2 ** 32;

/** A path on this site and nowhere else: `//host` and `/\host` lead away. */
function ownPath(target: string): string {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(target) && target.length <= 4096 ? target : '/';
}
