import type { MultipartPart } from '../multipart.ts';
import type { Part, Sink } from '../value.ts';

/** Where a reader puts what it finds in one stretch of a body. */
export interface RestContext {
  /** false where it has taken as many as a request may have */
  readonly sink: Sink;
  /** takes texts that cannot be taken apart */
  readonly remainder: (text: string, part: Part) => void;
  /** takes a part that carries a file name, with the beginning of its content */
  readonly file: (part: MultipartPart) => void;
}

/**
 * Reads one stretch of a body, from where the one before ended.
 * @param text latin1; begins with what was handed back the last time
 * @param last nothing follows
 * @returns the end of the text that is to come again with the next stretch, at most {@link longestPiece}
 */
export type RestReader = (text: string, last: boolean, context: RestContext) => string;

/** A value that is longer is given in pieces, so that no more than this is held of a body. */
export const longestPiece = 16_384;

/** What two pieces of one value share, so that nothing of ordinary length is cut in two. */
export const overlap = 512;
