// Parses one JSON text, and gives it away in pieces as it is asked for them.
import { parentPort } from 'node:worker_threads';

/** The text without the elements of its long arrays, and where those stand; no text where it is no JSON. */
export interface ReadHead {
  readonly text: string | undefined;
  readonly paths: readonly (readonly (string | number)[])[];
}

/** Elements that follow in one of the arrays; no array when all are through. */
export interface Piece {
  readonly array: number | undefined;
  readonly elements: readonly unknown[];
}

/** What the other side copies in about a millisecond: so many strings, or objects of the size of a site. */
const atOnce = { strings: 4000, objects: 16 } as const;

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

function* piecesOf(arrays: readonly Long[]): Generator<Piece> {
  for (const [array, { elements }] of arrays.entries()) {
    const size = typeof elements[0] === 'string' ? atOnce.strings : atOnce.objects;
    for (let at = 0; at < elements.length; at += size)
      yield { array, elements: elements.slice(at, at + size) };
  }
}

let pieces: Generator<Piece>;
parentPort?.on('message', (message: Uint8Array | 'next') => {
  if (message === 'next') {
    parentPort?.postMessage(pieces.next().value ?? { array: undefined, elements: [] });
    return;
  }
  try {
    const value: unknown = JSON.parse(
      Buffer.from(message.buffer, message.byteOffset, message.length).toString(),
    );
    const arrays = [...longArrays(value)];
    pieces = piecesOf(arrays);
    parentPort?.postMessage({ text: JSON.stringify(value), paths: arrays.map(({ path }) => path) });
  } catch {
    parentPort?.postMessage({ text: undefined, paths: [] });
  }
});
