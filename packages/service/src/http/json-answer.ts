import { z } from 'zod';
import { entriesAtOnce } from '../steps.ts';
import { stretchMs } from './turns.ts';

/** Characters that are sent at once; what has fewer is sent whole, with its length. */
const pieceLength = 64 * 1024;
/** Lists that are shorter go out with what they stand in. */
const longFrom = 256;

/** JSON of an answer: all of it, or what it begins with and how it goes on. */
export interface JsonAnswer {
  readonly begin: string;
  /** Throws where what is left does not fit the schema; absent where there is nothing left */
  readonly rest?: Iterable<string>;
}

/**
 * The JSON of a value, put through its schema, so that a field which the schema does not name cannot get out. Of long
 * lists a piece is made at a time: an address list of a million entries would else hold everybody up, and stand in
 * memory once more as text.
 * @throws ZodError where what it begins with does not fit the schema
 */
export function jsonAnswer(schema: z.ZodType, value: unknown): JsonAnswer {
  const pieces = piecesOf(schema, value);
  let begin = '';
  while (begin.length < pieceLength) {
    const piece = pieces.next();
    if (piece.done) return { begin };
    begin += piece.value;
  }
  return { begin, rest: gathered(pieces) };
}

/** The pieces in texts that are worth being sent, none of which takes longer to make than one may hold others up. */
function* gathered(pieces: Generator<string>): Generator<string> {
  for (;;) {
    const until = performance.now() + stretchMs;
    let text = '';
    do {
      const piece = pieces.next();
      if (piece.done) {
        yield text;
        return;
      }
      text += piece.value;
    } while (text.length < pieceLength && performance.now() < until);
    yield text;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a list fits its schema where its pieces do, and none of it is missed by what it stands in. */
const fitsInPieces = (schema: unknown): schema is z.ZodArray =>
  schema instanceof z.ZodArray &&
  (schema.def.checks ?? []).every(({ _zod }) => _zod.def.check === 'max_length');

/** An object that is checked as a whole has to be there as a whole. */
const mayBeSplit = (schema: unknown): schema is z.ZodObject =>
  schema instanceof z.ZodObject && (schema.def.checks ?? []).length === 0;

function* piecesOf(schema: z.ZodType, value: unknown): Generator<string> {
  const form = schema instanceof z.ZodUnion ? optionFor(schema, value) : schema;
  if (fitsInPieces(form) && Array.isArray(value)) yield* piecesOfList(form, value);
  else if (mayBeSplit(form) && isFields(value)) yield* piecesOfObject(form, value);
  else yield JSON.stringify(schema.parse(value));
}

/** The one option that can be meant, where only one is a list, or an object, as the value is. */
function optionFor({ options }: z.ZodUnion, value: unknown): unknown {
  const kind = Array.isArray(value) ? z.ZodArray : z.ZodObject;
  const [form, other] = options.filter((option) => option instanceof kind);
  return other === undefined ? form : undefined;
}

function* piecesOfList({ element }: z.ZodArray, list: readonly unknown[]): Generator<string> {
  const ofOne = element as z.ZodType;
  // Texts and numbers are many and short, objects may hold lists themselves.
  const atOnce = ofOne instanceof z.ZodObject ? 1 : entriesAtOnce;
  const several = z.array(ofOne);
  yield '[';
  for (let from = 0; from < list.length; from += atOnce) {
    if (from > 0) yield ',';
    if (atOnce === 1) yield* piecesOf(ofOne, list[from]);
    else yield JSON.stringify(several.parse(list.slice(from, from + atOnce))).slice(1, -1);
  }
  yield ']';
}

function* piecesOfObject(schema: z.ZodObject, value: Fields): Generator<string> {
  const long = Object.entries(schema.shape).filter(([name, field]) => {
    const list = value[name];
    return fitsInPieces(field) && Array.isArray(list) && list.length >= longFrom;
  });
  const apart = new Set(long.map(([name]) => name));
  const short = { ...value, ...Object.fromEntries(long.map(([name]) => [name, []])) };
  const left = Object.entries(schema.parse(short)).filter(([name]) => !apart.has(name));
  const fields = JSON.stringify(Object.fromEntries(left)).slice(1, -1);
  yield `{${fields}`;
  for (const [index, [name, list]] of long.entries()) {
    yield `${index > 0 || fields !== '' ? ',' : ''}${JSON.stringify(name)}:`;
    yield* piecesOf(list as z.ZodType, value[name]);
  }
  yield '}';
}
