// Parses one JSON text, and gives it away in pieces as they are asked for.
import { hash } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { zstdDecompressSync } from 'node:zlib';

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
  readonly elements: readonly unknown[];
}

/** Takes the long arrays out of a value, and leaves empty ones. */
function* longArrays(value: unknown, path: readonly (string | number)[] = []): Generator<Long> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > atOnce.objects) {
    yield { path, elements: value.splice(0) };
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    yield* longArrays(inner, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function* piecesOf(arrays: readonly Long[], known: ReadonlyMap<string, number>): Generator<Piece> {
  for (const [array, { elements }] of arrays.entries()) {
    if (typeof elements[0] === 'object') {
      yield* objectPieces(array, elements, known);
      continue;
    }
    for (let at = 0; at < elements.length; at += atOnce.strings)
      yield { array, elements: elements.slice(at, at + atOnce.strings), digests: [] };
  }
}

/** Runs of what the other side has and of what it has not, in their order. */
function* objectPieces(
  array: number,
  elements: readonly unknown[],
  known: ReadonlyMap<string, number>,
): Generator<Piece> {
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
  for (const element of elements) {
    const digest = hash('sha1', JSON.stringify(element), 'base64');
    const place = known.get(digest);
    const turns = place === undefined ? places.length > 0 : fresh.length > 0;
    if (turns || fresh.length >= atOnce.objects || places.length >= atOnce.known) yield piece();
    if (place === undefined) fresh.push(element);
    else places.push(place);
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
    const value: unknown = JSON.parse(text.toString());
    const arrays = [...longArrays(value)];
    pieces = piecesOf(arrays, new Map(known.map((digest, place) => [digest, place])));
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
