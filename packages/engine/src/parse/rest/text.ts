import { readableTexts } from '../readable.ts';
import { longestPiece, overlap, type RestReader } from './reader.ts';

/** Reads on in a text of no known form, in pieces that overlap. */
export const readText: RestReader = (text, last, { remainder }) => {
  if (!last && text.length < longestPiece) return text;
  for (const piece of readableTexts(text)) remainder(piece, 'body');
  return text.slice(-overlap);
};
