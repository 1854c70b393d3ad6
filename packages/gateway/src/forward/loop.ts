import type { Exchange } from '../exchange/index.ts';

/**
 * What a request carries once it was forwarded for a site. It names the site, for an upstream may well come back to
 * another one of the same gateways.
 * @param proof what gateways of this installation alone can write: a mark that anybody can would let a stranger
 *   make caches in front keep the refusal
 * @see RFC 8586 §2
 */
export const loopMark = (siteId: string, proof: string) => `portcullis;site=${siteId};proof=${proof}`;

/** Returns that are answered: an upstream may ask the public name of its own site with all the headers it got. */
const maxReturns = 3;

/** Whether a request was forwarded with this mark more often than an upstream needs, by this gateway or others. */
export const goesRound = ({ head }: Exchange, mark: string) =>
  head.cdnLoop !== undefined && head.cdnLoop.split(mark).length - 1 > maxReturns;
