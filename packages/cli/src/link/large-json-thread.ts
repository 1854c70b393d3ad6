// Takes one JSON text apart, and gives it away in pieces as they are asked for. What the other side has is not parsed, for
// objects that nobody keeps are collected by threads which the requests' collections need too.
import { hash, randomUUID } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { zstdDecompressSync } from 'node:zlib';
import { findLongArrays, type LongArray } from './long-arrays.ts';

/** The text's bytes come one after the other, then this. */
export interface TextEnd {
  /** bytes that it may unpack to, where it is packed by zstd */
  readonly unpackTo: number | undefined;
  /** of the elements that the other side still has, in its order */
  readonly known: readonly string[];
}

/** The text without the elements of its long arrays, and where those stand; no text where it is no JSON. */
export interface ReadHead {
  readonly text: string | undefined;
  readonly paths: readonly (readonly (string | number)[])[];
}

/** What follows in one of the arrays; no array when all are through. */
export interface Piece {
  readonly array: number | undefined;
  /** new ones, or places of elements that the other side still has */
  readonly elements: readonly unknown[] | Uint32Array;
  /** of objects: what each is known by */
  readonly digests: readonly string[];
}

/** What the other side takes in about a millisecond: so many strings, objects of the size of a site, known ones. */
const atOnce = { strings: 4000, objects: 16, known: 1000 } as const;

interface Long {
  readonly path: readonly (string | number)[];
  readonly elements: readonly Element[] | readonly string[];
}

/** An object of the text, or the place of the same one on the other side. */
interface Element {
  readonly digest: string;
  readonly known: number | undefined;
  readonly value: unknown;
}

/** @returns what the elements of a long array are. Throws where one is no JSON */
function elementsOf(
  text: Buffer,
  { bounds }: LongArray,
  known: ReadonlyMap<string, number>,
): Long['elements'] {
  const between = (from: number, to: number) => text.subarray((bounds[from] ?? 0) + 1, bounds[to]);
  const count = bounds.length - 1;
  if (!/^\s*[[{]/.test(between(0, 1).toString('latin1'))) {
    return JSON.parse(`[${between(0, count).toString()}]`) as string[];
  }
  return Array.from({ length: count }, (_, index) => {
    const bytes = between(index, index + 1);
    const digest = hash('sha1', bytes, 'base64');
    const place = known.get(digest);
    // What the other side has was JSON when it came.
    return { digest, known: place, value: place === undefined ? JSON.parse(bytes.toString()) : undefined };
  });
}

/** Takes the long arrays out of a text. @returns its value with empty ones. Throws where it is no JSON */
function takeApart(text: Buffer, known: ReadonlyMap<string, number>): { value: unknown; arrays: Long[] } {
  const found = findLongArrays(text, atOnce.objects);
  const mark = randomUUID();
  const around: string[] = [];
  let from = 0;
  for (const [index, { bounds }] of found.entries()) {
    around.push(text.toString('utf8', from, bounds[0]), `["${mark}",${index}]`);
    from = (bounds.at(-1) ?? 0) + 1;
  }
  const value: unknown = JSON.parse(around.join('') + text.toString('utf8', from));
  const elements = found.map((array) => elementsOf(text, array, known));
  const arrays = [...marked(value, mark)].map(({ path, index }) => ({
    path,
    elements: elements[index] ?? [],
  }));
  return { value, arrays };
}

/** Empties the arrays that stand for long ones. @returns where they are; not those of a key that came again */
function* marked(
  value: unknown,
  mark: string,
  path: readonly (string | number)[] = [],
): Generator<{ readonly path: Long['path']; readonly index: number }> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value[0] === mark) {
    yield { path, index: Number(value.splice(0)[1]) };
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    yield* marked(inner, mark, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function* piecesOf(arrays: readonly Long[]): Generator<Piece> {
  for (const [array, { elements }] of arrays.entries()) {
    if (isObjects(elements)) {
      yield* objectPieces(array, elements);
      continue;
    }
    for (let at = 0; at < elements.length; at += atOnce.strings)
      yield { array, elements: elements.slice(at, at + atOnce.strings), digests: [] };
  }
}

const isObjects = (elements: Long['elements']): elements is readonly Element[] =>
  typeof elements[0] === 'object' && elements[0] !== null;

/** Runs of what the other side has and of what it has not, in their order. */
function* objectPieces(array: number, all: readonly Element[]): Generator<Piece> {
  let fresh: unknown[] = [];
  let places: number[] = [];
  let digests: string[] = [];
  const piece = (): Piece => {
    const whole = { array, elements: places.length > 0 ? Uint32Array.from(places) : fresh, digests };
    fresh = [];
    places = [];
    digests = [];
    return whole;
  };
  for (const { digest, known, value } of all) {
    const turns = known === undefined ? places.length > 0 : fresh.length > 0;
    if (turns || fresh.length >= atOnce.objects || places.length >= atOnce.known) yield piece();
    if (known === undefined) fresh.push(value);
    else places.push(known);
    digests.push(digest);
  }
  if (digests.length > 0) yield piece();
}

// Requests go first. On Linux this counts for the thread that asks for it alone: setpriority(2), BUGS.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);

const bytes: Uint8Array[] = [];
let pieces: Generator<Piece>;

function read({ unpackTo, known }: TextEnd): ReadHead {
  try {
    const whole = Buffer.concat(bytes.splice(0));
    const text = unpackTo === undefined ? whole : zstdDecompressSync(whole, { maxOutputLength: unpackTo });
    const places = new Map(known.map((digest, place) => [digest, place]));
    const { value, arrays } = takeApart(text, places);
    pieces = piecesOf(arrays);
    return { text: JSON.stringify(value), paths: arrays.map(({ path }) => path) };
  } catch {
    return { text: undefined, paths: [] };
  }
}

parentPort?.on('message', (message: Uint8Array | TextEnd | 'next') => {
  if (message instanceof Uint8Array) bytes.push(message);
  else if (message !== 'next') parentPort?.postMessage(read(message));
  else parentPort?.postMessage(pieces.next().value ?? { array: undefined, elements: [], digests: [] });
});
