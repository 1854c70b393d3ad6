import type { Exchange } from '../exchange/index.ts';
import type { Configuration } from '../sites/index.ts';

const acmePath = '/.well-known/acme-challenge/';

/** Any gateway answers for any order: RFC 8555 §8.3. Tokens that are not ours are the upstream's. */
export function acmeAnswer({ acmeAnswers }: Configuration, { target }: Exchange): string | undefined {
  if (acmeAnswers.size === 0 || !target.startsWith(acmePath)) return undefined;
  return acmeAnswers.get(target.slice(acmePath.length));
}
