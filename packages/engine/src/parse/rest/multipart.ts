import { type MultipartPart, parseMultipart } from '../multipart.ts';
import { readableTexts } from '../readable.ts';
import { longestPiece, overlap, type RestContext, type RestReader } from './reader.ts';

const plain: readonly string[] = [];

/**
 * Reads on in a multipart body, part by part. Of a file the beginning is given and the rest skipped, as it is stored
 * and not taken apart; a field is given whole.
 * @param mark the boundary with its dashes
 * @returns a reader, which keeps where it is
 */
export function multipartReader(mark: string): RestReader {
  /** within the content of a file whose beginning was given */
  let skipping = false;

  const give = (text: string, context: RestContext): MultipartPart | undefined => {
    const [part] = parseMultipart(`${mark}${text}`, mark.slice(2), 1).parts;
    if (part === undefined) context.remainder(text, 'multipart');
    else if (part.filenames.length > 0) giveFile(part, context);
    else giveField(part, context);
    return part;
  };

  return (text, last, context) => {
    let at = 0;
    for (;;) {
      const next = text.indexOf(mark, at);
      if (next >= 0) {
        if (!skipping) give(text.slice(at, next), context);
        skipping = false;
        at = next + mark.length;
        continue;
      }
      const open = text.slice(at);
      if (last) {
        if (!skipping) give(open, context);
        return '';
      }
      // A mark may have begun.
      if (skipping) return open.slice(-mark.length);
      if (open.length <= longestPiece) return open;
      const part = give(open, context);
      skipping = part !== undefined && part.filenames.length > 0;
      if (skipping) return open.slice(-mark.length);
      const head = part === undefined ? '' : `\r\n${part.head}\r\n\r\n`;
      return head.slice(0, longestPiece / 4) + open.slice(-Math.max(overlap, mark.length));
    }
  };
}

function giveField({ name, content }: MultipartPart, { sink, remainder }: RestContext): void {
  if (name !== '')
    sink({ part: 'multipart', name, isName: true, text: name, source: name, at: 0, decoders: plain });
  for (const text of readableTexts(content)) {
    if (!sink({ part: 'multipart', name, isName: false, text, source: text, at: 0, decoders: plain }))
      remainder(text, 'multipart');
  }
}

function giveFile(part: MultipartPart, { sink, file }: RestContext): void {
  const { name, content } = part;
  file(part);
  for (const text of part.filenames)
    sink({ part: 'filename', name, isName: false, text, source: text, at: 0, decoders: plain });
  sink({ part: 'file', name, isName: false, text: content, source: content, at: 0, decoders: plain });
}
