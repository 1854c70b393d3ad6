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
  /** what was found when it was read, where somebody looked */
  readonly look?: Look | undefined;
}

/** Receives values as a parser finds them. Says whether it wants more: bounds are enforced by the receiver. */
export type Sink = (value: Value) => boolean;

/** What a first look at a text found; for who looks again, and opaque to readers. */
export type Look = object;

/**
 * Looks at pieces of a request before values are made of them. Most are such that nobody has anything to say about, and
 * making values of them costs as much as all else.
 */
export interface FirstLook {
  /** @returns undefined where nobody has anything to say about [start, end) of a text as it stands there: no value need be made of it */
  readonly at: (text: string, start: number, end: number, part: Part, isName: boolean) => Look | undefined;
  /** Counts such a piece as taken; false as of a {@link Sink}. */
  readonly pass: () => boolean;
}

/** Of a text that nobody has looked at. */
export const unlooked: Look = {};

/** Makes a value of everything. */
export const noLook: FirstLook = { at: () => unlooked, pass: () => true };

/** What a policy tells of pieces, see {@link FirstLook}, and of headers. */
export interface Skim {
  readonly look: FirstLook['at'];
  /** whether a header is known to hold nothing */
  readonly isKnown: (name: string, text: string) => boolean;
}

/** Whether a name may be one of those under which SAML sends compressed messages: such values are looked into. */
export function mayNameSaml(text: string, start: number, end: number): boolean {
  const length = end - start;
  return (length === 11 || length === 12) && text.charCodeAt(start) === 83;
}

/** The name shown in explanations: `query:id`, `json:items.0.name`, `path`. */
export function targetName(value: Pick<Value, 'part' | 'name' | 'isName'>): string {
  const named = value.name === '' ? value.part : `${value.part}:${value.name}`;
  return value.isName ? `${named} (name)` : named;
}

/** An ellipsis in UTF-8, set before a piece of a value that began earlier: no rule takes the cut for a beginning. */
export const goesOn = '\xe2\x80\xa6';
