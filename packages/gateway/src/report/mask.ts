import type { EventMatch } from '@portcullis/contract/events';

const secretName =
  /pass(?:wor[dt]|wd|phrase)?$|^pw$|pwd|secret|token|api[-_]?key|auth|session|^sid$|^code$|otp|credential|signature/i;

/** Whether a parameter, header or cookie of this name usually carries a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);

/** Masks the values of secret parameters in a request target, so that a reset link is not kept in a log. */
export function maskTarget(target: string): string {
  const mark = target.indexOf('?');
  if (mark === -1) return target;
  const query = target
    .slice(mark + 1)
    .replace(/(^|&)([^=&]{1,128})=([^&]*)/g, (whole, lead, name) =>
      isSecretName(String(name)) ? `${lead}${name}=***` : whole,
    );
  return `${target.slice(0, mark)}?${query}`;
}

/**
 * Masks what lies around the evidence where the part of the request is secret by nature. The matched bytes stay,
 * for without them nobody could judge the block; not so of an operator's own rule (score 0), which says itself what it
 * looks for, the very key perhaps that a request must carry.
 */
export function maskMatch(match: EventMatch): EventMatch {
  const colon = match.target.indexOf(':');
  const part = colon === -1 ? match.target : match.target.slice(0, colon);
  const name = colon === -1 ? '' : match.target.slice(colon + 1);
  if (name === '' && wholes.has(part)) return maskParameters(match);
  const secret = part === 'cookie' || /^(?:proxy-)?authorization$|^cookie$/i.test(name) || isSecretName(name);
  if (!secret) return match;
  const [start, end] = match.span;
  const { value } = match;
  if (match.score === 0) return { ...match, value: stars(value.length) };
  const evidence = value.slice(start, end).replace(longToken, (token) => stars(token.length));
  return { ...match, value: stars(start) + evidence + stars(value.length - end) };
}

/** Parts that are looked at whole too, with all their parameters. */
const wholes: ReadonlySet<string> = new Set(['query', 'target', 'body']);

/** The engine shows no more of a text, and may have left out where it begins. */
const shownLength = 512;

/** Masks the secret parameters of a whole: all of each for one's own rule, else what lies around the evidence. */
function maskParameters(match: EventMatch): EventMatch {
  const { value, score, target } = match;
  const [start, end] = match.span;
  const first = target === 'target' ? value.indexOf('?') + 1 : 0;
  const nameless = target === 'query' && start > 0 && value.length >= shownLength;
  const masked = (text: string, at: number) =>
    text.replace(/./gs, (one, index: number) =>
      score > 0 && at + index >= start && at + index < end ? one : '*',
    );
  // Without a name it may be the rest of a value before it, whose `&` was decoded.
  let secret = nameless;
  const query = value
    .slice(first)
    .replace(/([^=&]*=)?([^&]*)/g, (all, name: string | undefined, _, at: number) => {
      if (nameless && at === 0) return masked(all, 0);
      if (name !== undefined) secret = isSecretName(name.slice(0, -1));
      const kept = name ?? '';
      return secret ? kept + masked(all.slice(kept.length), first + at + kept.length) : all;
    });
  return { ...match, value: value.slice(0, first) + query };
}

/** Within the evidence: what leads up to the attack, and whatever is too long to be a word of it. */
const longToken = /^[\w+/=.-]{10,}|[\w+/=.-]{24,}/g;

const stars = (count: number) => '*'.repeat(Math.max(0, count));
