import type { Exchange } from '../exchange/index.ts';

/**
 * What a request carries once it was forwarded for a site. It names the site, for an upstream may well come back to
 * another one of the same gateways.
 * @param proof what gateways of this installation alone can write: a mark that anybody can would let a stranger
 *   make caches in front keep the refusal
 * @see RFC 8586 §2
 */
export const loopMark = (siteId: string, proof: string) => `portcullis;site=${siteId};proof=${proof}`;

/** Whether a request was forwarded before with this mark, by this gateway or another one. */
export const hasPassed = ({ head }: Exchange, mark: string) => head.cdnLoop?.includes(mark) === true;
