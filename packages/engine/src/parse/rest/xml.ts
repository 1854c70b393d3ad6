import { parseXml } from '../xml.ts';
import { longestPiece, overlap, type RestReader } from './reader.ts';

/** Reads on in an XML document, from one tag to another. */
export const readXml: RestReader = (text, last, { sink, remainder }) => {
  const tag = text.lastIndexOf('<');
  const long = text.length - tag > longestPiece;
  if (!last && tag <= 0 && !long) return text;
  const end = last || long ? text.length : tag;
  const piece = text.slice(0, end);
  remainder(piece, 'document');
  parseXml(piece, sink);
  return last ? '' : text.slice(long ? -overlap : end);
};
