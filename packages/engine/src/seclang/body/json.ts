import { utf8Bytes } from '../../decode/index.ts';
import type { NamedValue, ParsedBody } from './parsed-body.ts';

const maxDepth = 64;
const maxValues = 10_000;

/**
 * Flattens a JSON body into arguments named by their path: `json.user.roles.0`. Values under a repeated key
 * are all kept, since parsers differ in which one wins. Never throws, never recurses.
 * @returns with `error` set when the text is no JSON, or is deeper or larger than any honest client sends;
 * what was read until there is kept
 * @see RFC 8259
 */
export function parseJson(text: string): ParsedBody {
  const reader: Reader = { text, at: 0, frames: [], args: [] };
  for (;;) {
    if (!readValue(reader)) break;
    if (!leaveFinished(reader)) break;
    if (reader.frames.length > 0) continue;
    skipSpace(reader);
    return reader.at === text.length ? { args: reader.args } : broken(reader);
  }
  return broken(reader);
}

interface Frame {
  readonly prefix: string;
  /** -1 in an object, else the index of the element being read */
  index: number;
  key: string;
}

interface Reader {
  readonly text: string;
  at: number;
  readonly frames: Frame[];
  readonly args: NamedValue[];
}

function broken({ args }: Reader): ParsedBody {
  return { args, error: 'JSON parsing error' };
}

const space = /[ \t\r\n]*/y;
const stringToken = /"(?:[^"\\]|\\[\s\S])*"/y;
const plainToken = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function take(pattern: RegExp, reader: Reader): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

function skipSpace(reader: Reader): void {
  take(space, reader);
}

function pathOf({ frames }: Reader): string {
  const frame = frames.at(-1);
  if (!frame) return 'json';
  return `${frame.prefix}.${frame.index < 0 ? frame.key : frame.index}`;
}

/** Reads one value, or enters an object or array up to its first value. @returns false on anything else */
function readValue(reader: Reader): boolean {
  for (;;) {
    skipSpace(reader);
    const char = reader.text[reader.at];
    if (char !== '{' && char !== '[') return readScalar(reader);
    if (reader.frames.length >= maxDepth) return false;
    const prefix = pathOf(reader);
    reader.at += 1;
    skipSpace(reader);
    reader.frames.push({ prefix, index: char === '[' ? 0 : -1, key: '' });
    // An empty one is left at once.
    if (reader.text[reader.at] === (char === '[' ? ']' : '}')) return true;
    if (char === '{' && !readKey(reader)) return false;
  }
}

function readScalar(reader: Reader): boolean {
  if (reader.args.length >= maxValues) return false;
  const string = take(stringToken, reader);
  const plain = string === undefined ? take(plainToken, reader) : undefined;
  if (string === undefined && plain === undefined) return false;
  reader.args.push([
    pathOf(reader),
    string === undefined ? (plain ?? '').replace('null', '') : unquote(string),
  ]);
  return true;
}

function readKey(reader: Reader): boolean {
  skipSpace(reader);
  const key = take(stringToken, reader);
  const frame = reader.frames.at(-1);
  if (key === undefined || !frame) return false;
  frame.key = unquote(key);
  skipSpace(reader);
  if (reader.text[reader.at] !== ':') return false;
  reader.at += 1;
  return true;
}

/** After a value: goes on to the next one, leaving what is finished. @returns false where neither is there */
function leaveFinished(reader: Reader): boolean {
  for (;;) {
    const frame = reader.frames.at(-1);
    if (!frame) return true;
    skipSpace(reader);
    const char = reader.text[reader.at];
    reader.at += 1;
    if (char === ',') {
      if (frame.index < 0) return readKey(reader);
      frame.index += 1;
      return true;
    }
    if (char !== (frame.index < 0 ? '}' : ']')) return false;
    reader.frames.pop();
  }
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** `\u20ac` stands for UTF-8 bytes, like any other character beyond ASCII. */
function unquote(token: string): string {
  const inner = token.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  return inner.replace(
    /\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\([\s\S])/g,
    (_whole, high?: string, low?: string, unit?: string, single?: string) => {
      if (high !== undefined && low !== undefined) {
        const first = Number.parseInt(high, 16) - 0xd800;
        return utf8Bytes(0x10000 + first * 1024 + Number.parseInt(low, 16) - 0xdc00);
      }
      if (unit !== undefined) return utf8Bytes(Number.parseInt(unit, 16));
      return escapes[single ?? ''] ?? single ?? '';
    },
  );
}
