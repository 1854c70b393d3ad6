import {
  type Declared,
  isForm,
  isXml,
  mayBeForm,
  multipartBoundary,
  opensJson,
  withoutMark,
} from '../body.ts';
import { isFileBody } from '../file-signature.ts';
import { parseJson } from '../json.ts';
import { readForm, readFormInFile } from './form.ts';
import { jsonReader } from './json.ts';
import { multipartReader } from './multipart.ts';
import { longestPiece, type RestContext, type RestReader } from './reader.ts';
import { readText } from './text.ts';
import { readXml } from './xml.ts';

export type { RestContext, RestReader } from './reader.ts';

const nobody: RestContext = { sink: () => true, remainder: () => undefined, file: () => undefined };

/** A reader for what follows a prefix, and the end of the prefix that is to come again with what follows. */
export interface Rest {
  readonly read: RestReader;
  readonly open: string;
}

/**
 * Chooses how a body is read on where its prefix ended, by what the prefix is rather than by what it is called.
 * @param sent the prefix: latin1, decompressed
 * @param declared what the request says of it
 * @param maxDepth of JSON; a deeper document is read as a text
 * @returns undefined for a file that is stored as it comes: only its beginning tells anything
 */
export function beginRest(sent: string, declared: Declared, maxDepth: number): Rest | undefined {
  const { contentType } = declared;
  const prefix = withoutMark(sent);
  const boundary = multipartBoundary(prefix, contentType);
  const mark = `--${boundary ?? ''}`;
  const lastPart = boundary === undefined ? -1 : prefix.lastIndexOf(mark);
  if (lastPart >= 0) return from(multipartReader(mark), prefix.slice(lastPart + mark.length));
  if (opensJson(prefix) && isJsonSoFar(prefix, maxDepth)) return from(jsonReader(), prefix);
  const end = prefix.slice(-longestPiece);
  if (isXml(prefix, contentType)) return from(readXml, end);
  if (isFileBody(prefix, contentType)) return mayBeForm(declared) ? from(readFormInFile, end) : undefined;
  return from(isForm(prefix, contentType) ? readForm : readText, end);
}

function from(read: RestReader, text: string): Rest {
  return { read, open: read(text, false, nobody) };
}

function isJsonSoFar(prefix: string, maxDepth: number): boolean {
  const context = { part: 'json', name: '', decoders: [], maxDepth } as const;
  const { wellFormed, cut } = parseJson(prefix, context, () => true);
  return wellFormed || cut;
}
