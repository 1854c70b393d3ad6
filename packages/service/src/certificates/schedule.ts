import { factsOf, readChain } from './read-chain.ts';
import type { StoredCertificate } from './stored.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * When a certificate is renewed: after two thirds of its life, up to a day earlier or later, so that many sites do
 * not all come to the authority at once.
 * @param random in [0, 1)
 * @returns Unix milliseconds
 */
export function renewalTime(notBefore: number, notAfter: number, random: number): number {
  const life = notAfter - notBefore;
  const jitter = Math.min(dayMs, life / 30) * (random * 2 - 1);
  return Math.round(notBefore + (life * 2) / 3 + jitter);
}

/** Days before the end at which one is called ending; of those that live shorter than six weeks, a third of their life. */
const endingMs = 14 * dayMs;

/** Whether a certificate is so near to its end that it should have been renewed. All in Unix milliseconds. */
export function isEnding(notBefore: number, notAfter: number, now: number): boolean {
  return notAfter - now < Math.min(endingMs, (notAfter - notBefore) / 3);
}

/**
 * No attempt lies further ahead: the longest an authority is let ask for, whose limits span a week at most and whose
 * typing error must not cost the certificate, and something over.
 */
const longestWaitMs = 8 * dayMs;

/**
 * When to try again after failures in a row: ten minutes, then doubling to a day, a fifth more or less. Authorities
 * allow five failures an hour for a name, so the first hour holds fewer.
 * @param failures 1 or more
 * @param waitMs what the authority asks for
 */
export function retryTime(now: number, failures: number, random: number, waitMs = 0): number {
  const pause = Math.min(dayMs, 10 * minuteMs * 2 ** (failures - 1));
  return Math.round(now + Math.max(pause * (0.8 + random * 0.4), Math.min(waitMs, 7 * dayMs)));
}

/** Services on one database may differ by so much; what was done later than that was done while a clock was wrong. */
export const maxAheadMs = 5 * minuteMs;

/**
 * When a stored certificate is asked for anew, by a clock that may have jumped since that was planned. A failure is
 * not waited out where the clock was set back: its pause would grow by the jump. A success holds for a third of a life
 * by this clock, however old the certificate looks by it: an authority signs by its own clock, and one that is weeks
 * ahead would else order with every look.
 * @returns Unix milliseconds; undefined for an uploaded one
 */
export function nextAttempt(stored: StoredCertificate, now: number): number | undefined {
  const { source, chain, steps, failures, nextAttemptAt = now } = stored;
  if (source === 'uploaded') return undefined;
  const attemptedAt = Date.parse(steps.at(-1)?.time ?? '');
  const [leaf] = chain === '' ? [] : readChain(chain);
  if (failures > 0 || leaf === undefined) {
    const setBack = attemptedAt > now + maxAheadMs || nextAttemptAt - now > longestWaitMs;
    return setBack ? now : nextAttemptAt;
  }
  const { notBefore, notAfter } = factsOf(leaf);
  const [from, until] = [notBefore.getTime(), notAfter.getTime()];
  // Where both clocks were ahead it holds for nobody yet.
  const planned = from > now + maxAheadMs ? now : Math.min(nextAttemptAt, renewalTime(from, until, 1));
  const ordered = attemptedAt <= now + maxAheadMs;
  return ordered ? Math.max(planned, Math.round(attemptedAt + (until - from) / 3)) : planned;
}

/** Between failures that people ask for: authorities allow five an hour for a name. */
const betweenAsksMs = 12 * minuteMs;

/**
 * From when on a person may ask for a certificate: after a failure some minutes pass, or less where it is tried anew
 * before. @returns Unix milliseconds, not after `now` where one may be asked for
 */
export function askableFrom(stored: StoredCertificate, now: number): number {
  if (stored.failures === 0) return now;
  const failedAt = Date.parse(stored.steps.at(-1)?.time ?? '');
  return Math.min(nextAttempt(stored, now) ?? now, failedAt + betweenAsksMs);
}
