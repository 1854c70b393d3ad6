import { parsePairs } from '../pairs.ts';
import { readableTexts } from '../readable.ts';
import { longestPiece, overlap, type RestReader } from './reader.ts';

/** Reads on in `a=1&b=2`. A value that is given in pieces has its name on the first of them only. */
export const readForm: RestReader = (text, last, { sink, remainder }) => {
  const ampersand = text.lastIndexOf('&');
  if (last || (ampersand < 0 && text.length > longestPiece)) {
    remainder(parsePairs(text, 'form', sink), 'form');
    return last ? '' : text.slice(-overlap);
  }
  if (ampersand < 0) return text;
  remainder(parsePairs(text.slice(0, ampersand), 'form', sink), 'form');
  const open = text.slice(ampersand + 1);
  return open.length <= longestPiece
    ? open
    : readForm(open, false, { sink, remainder, file: () => undefined });
};

/** The same amid the bytes of a file: see `isUntyped`. */
export const readFormInFile: RestReader = (text, last, { sink, remainder }) => {
  if (!last && text.length < longestPiece) return text;
  for (const piece of readableTexts(text))
    if (piece.includes('=')) remainder(parsePairs(piece, 'form', sink), 'form');
  return text.slice(-overlap);
};
