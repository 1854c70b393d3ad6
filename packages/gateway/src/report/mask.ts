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
  const secret = part === 'cookie' || /^(?:proxy-)?authorization$|^cookie$/i.test(name) || isSecretName(name);
  if (!secret) return match;
  const [start, end] = match.span;
  const { value } = match;
  if (match.score === 0) return { ...match, value: stars(value.length) };
  const evidence = value.slice(start, end).replace(longToken, (token) => stars(token.length));
  return { ...match, value: stars(start) + evidence + stars(value.length - end) };
}

/** Within the evidence: what leads up to the attack, and whatever is too long to be a word of it. */
const longToken = /^[\w+/=.-]{10,}|[\w+/=.-]{24,}/g;

const stars = (count: number) => '*'.repeat(Math.max(0, count));
