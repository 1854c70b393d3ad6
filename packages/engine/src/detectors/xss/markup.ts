/** One tag as a lenient browser would read it at this place. */
export interface Tag {
  /** lower case */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly start: number;
  readonly end: number;
  /** whether its `>` was seen */
  readonly closed: boolean;
}

export interface Attribute {
  /** lower case */
  readonly name: string;
  readonly value: string;
  readonly hasValue: boolean;
  readonly start: number;
  readonly end: number;
}

const maxTags = 48;
const maxTagLength = 2048;
const maxAttributes = 32;

/**
 * Reads a tag at every `<` that could open one, also inside what would be an attribute value or a comment in
 * some contexts, since which context the text lands in is not known. Linear: 48 tags of 2 KB at most.
 * @see WHATWG HTML §13.2.5
 */
export function readTags(text: string): Tag[] {
  const tags: Tag[] = [];
  const reading: Reading = {
    text,
    known: text.length <= maxTagLength ? new Map() : undefined,
    name: { stops: endsName, from: 0, end: -1 },
    value: { stops: endsValue, from: 0, end: -1 },
  };
  for (let at = text.indexOf('<'); at >= 0 && tags.length < maxTags; at = text.indexOf('<', at + 1)) {
    // Texts of nothing but `<` open no tag, and a pattern takes as long to be called as a name to be read.
    const initial = text.charCodeAt(at + 1) | 32;
    if (initial < 97 || initial > 122) continue;
    namePattern.lastIndex = at + 1;
    const name = namePattern.exec(text)?.[0];
    if (name !== undefined) tags.push(readTag(reading, at, name));
  }
  return tags;
}

/** Tags within each other have the same attributes, which are read once. */
interface Reading {
  readonly text: string;
  /** attributes by their offset, where every tag may be as long as the text */
  readonly known: Map<number, Attribute> | undefined;
  readonly name: Stretch;
  readonly value: Stretch;
}

/** What was read last up to a byte that stops it: whatever begins in it ends there too. */
interface Stretch {
  readonly stops: Uint8Array;
  from: number;
  end: number;
}

// A NUL inside a name is skipped by old parsers; a slash ends it.
const namePattern = /[a-z][\w:\0-]{0,40}/iy;

function readTag(reading: Reading, start: number, rawName: string): Tag {
  const { text, known } = reading;
  const attributes: Attribute[] = [];
  const limit = Math.min(text.length, start + maxTagLength);
  let at = start + 1 + rawName.length;
  let closed = false;
  while (at < limit && attributes.length < maxAttributes) {
    const char = text[at] ?? '';
    if (char === '>') {
      closed = true;
      at += 1;
      break;
    }
    if (isSpace(char) || char === '/') {
      at += 1;
      continue;
    }
    let attribute = known?.get(at);
    if (!attribute) {
      attribute = readAttribute(reading, at, limit);
      known?.set(at, attribute);
    }
    attributes.push(attribute);
    at = attribute.end;
  }
  return { name: rawName.replaceAll('\0', '').toLowerCase(), attributes, start, end: at, closed };
}

/** 1 for each byte that ends an attribute's name. */
const endsName = Uint8Array.from({ length: 256 }, (_unused, code) =>
  /[\s=/>]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** No rule asks for a name as long. */
const longestName = 64;

function readAttribute(reading: Reading, start: number, limit: number): Attribute {
  const { text } = reading;
  let at = Math.min(endOf(reading.name, text, start + 1), limit);
  const name = text.slice(start, Math.min(at, start + longestName)).toLowerCase();
  let equals = at;
  while (equals < limit && isSpace(text[equals] ?? '')) equals += 1;
  if (text[equals] !== '=') return { name, value: '', hasValue: false, start, end: at };
  at = equals + 1;
  while (at < limit && isSpace(text[at] ?? '')) at += 1;
  const quote = text[at] ?? '';
  if (quote === '"' || quote === "'" || quote === '`') {
    const close = text.indexOf(quote, at + 1);
    const end = close < 0 || close > limit ? limit : close;
    return { name, value: text.slice(at + 1, end), hasValue: true, start, end: Math.min(end + 1, limit) };
  }
  const from = at;
  at = Math.max(from, Math.min(endOf(reading.value, text, from), limit));
  return { name, value: text.slice(from, at), hasValue: true, start, end: at };
}

function endOf(stretch: Stretch, text: string, from: number): number {
  if (from >= stretch.from && from <= stretch.end) return stretch.end;
  let at = from;
  while (at < text.length && stretch.stops[text.charCodeAt(at) & 255] === 0) at += 1;
  stretch.from = from;
  stretch.end = at;
  return at;
}

/** 1 for each byte that ends a value without quotes. */
const endsValue = Uint8Array.from({ length: 256 }, (_unused, code) =>
  code === 62 || isSpace(String.fromCharCode(code)) ? 1 : 0,
);

function isSpace(char: string): boolean {
  return (
    char === ' ' ||
    char === '\n' ||
    char === '\t' ||
    char === '\r' ||
    char === '\f' ||
    char === '\v' ||
    char === '\0' ||
    char === '\xa0'
  );
}
