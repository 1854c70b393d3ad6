import type { KeyRing } from './key-ring.ts';
import { bindingOf, type Visitor } from './visitor.ts';

/** What a visitor has proven. A captcha counts where a computation is asked for, not the other way round. */
export const challengeKinds = ['js', 'captcha'] as const;
export type ChallengeKind = (typeof challengeKinds)[number];

export const passCookie = 'portcullis_pass';

/** Cookies of the same name that are looked at: a parent domain may have set another. */
const maxCandidates = 4;

/**
 * @param now Unix time in milliseconds
 * @returns a Set-Cookie value with a signed pass that no script can read
 */
export function issuePass(
  ring: KeyRing,
  visitor: Visitor,
  options: { kind: ChallengeKind; seconds: number; now: number; secure: boolean },
): string {
  const expires = Math.floor(options.now / 1000) + options.seconds;
  const signature = ring.sign('pass', [options.kind, expires, ...bindingOf(visitor)]);
  const value = `${options.kind}.${expires.toString(36)}.${signature}`;
  const secure = options.secure ? '; Secure' : '';
  return `${passCookie}=${value}; Path=/; Max-Age=${options.seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * Whether the visitor holds a pass that is good for `needed`.
 * @param cookies the Cookie header, values of several joined by `; `
 */
export function hasPass(
  ring: KeyRing,
  visitor: Visitor,
  cookies: string | undefined,
  options: { needed: ChallengeKind; now: number },
): boolean {
  if (cookies === undefined) return false;
  let candidates = 0;
  for (const value of valuesOf(cookies)) {
    if (++candidates > maxCandidates) return false;
    const [, kind, expiry = '', signature = ''] =
      /^(js|captcha)\.([0-9a-z]{1,8})\.(.{1,128})$/.exec(value) ?? [];
    const expires = Number.parseInt(expiry, 36);
    if (kind === undefined || (kind === 'js' && options.needed === 'captcha')) continue;
    if (!(expires * 1000 > options.now)) continue;
    if (ring.verify('pass', [kind, expires, ...bindingOf(visitor)], signature)) return true;
  }
  return false;
}

function* valuesOf(cookies: string): Generator<string> {
  const lead = `${passCookie}=`;
  for (let at = cookies.indexOf(lead); at !== -1; at = cookies.indexOf(lead, at + 1)) {
    const before = at === 0 ? ';' : cookies.charAt(at - 1);
    if (before !== ';' && before !== ' ') continue;
    const end = cookies.indexOf(';', at);
    yield cookies.slice(at + lead.length, end === -1 ? undefined : end).trim();
  }
}
