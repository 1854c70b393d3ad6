/** The parts of a request that a rule can name. */
export const parts = [
  'method',
  /** request-target up to `?`, undecoded */
  'path',
  /** the whole request-target */
  'target',
  'query',
  /** every header but Cookie; of Referer its path and, one by one, its parameters */
  'header',
  'cookie',
  'form',
  'json',
  /** texts, comments and attribute values */
  'xml',
  /** a whole XML document, markup included */
  'document',
  'multipart',
  /** the contents of an upload */
  'file',
  'filename',
  /** a body, or the readable runs of a binary one, that no reader could take apart */
  'body',
  'ip',
] as const;
export type Part = (typeof parts)[number];

/** One piece of a request, named and freed of the syntax around it. */
export interface Value {
  readonly part: Part;
  /** parameter, header, cookie or file field; in JSON the path to it (`items.0.name`); empty where there is none */
  readonly name: string;
  /** whether `text` is a name that the client chose, such as a parameter's, and not what stands under it */
  readonly isName: boolean;
  /** latin1 */
  readonly text: string;
  /**
   * A text in which `text` stands unchanged from `at` on, the body for most: a piece of a string is three times slower
   * to read character by character than the string itself, at 4 and 1.3 ns a character.
   */
  readonly source: string;
  readonly at: number;
  /** what was undone to read it, in order */
  readonly decoders: readonly string[];
}

/** Receives values as a parser finds them. Says whether it wants more: bounds are enforced by the receiver. */
export type Sink = (value: Value) => boolean;

/** The name shown in explanations: `query:id`, `json:items.0.name`, `path`. */
export function targetName(value: Pick<Value, 'part' | 'name' | 'isName'>): string {
  const named = value.name === '' ? value.part : `${value.part}:${value.name}`;
  return value.isName ? `${named} (name)` : named;
}
