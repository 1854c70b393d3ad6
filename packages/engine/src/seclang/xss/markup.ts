/** Where in a page a text is taken to land: between tags, or inside an attribute's value. */
export type MarkupContext = 'text' | 'unquoted' | "'" | '"' | '`';

/** What a browser would make of a piece of markup. */
export type MarkupEvent =
  | { readonly kind: 'tag'; readonly name: string }
  | { readonly kind: 'attribute'; readonly name: string; readonly value?: string }
  | { readonly kind: 'doctype' }
  /** also what browsers treat like one: `<?…>`, `<!…>`, `</ …>` */
  | { readonly kind: 'comment'; readonly text: string };

const maxEvents = 256;

/**
 * Reads markup as a lenient HTML parser does, starting in the given context. Names are lower case and without
 * NUL bytes. Linear; stops after 256 events.
 * @see WHATWG HTML §13.2.5
 */
export function readMarkup(text: string, context: MarkupContext): MarkupEvent[] {
  const reader: Reader = { text, at: 0, events: [] };
  if (context !== 'text') {
    const end = context === 'unquoted' ? text.search(/[\s>]/) : text.indexOf(context);
    if (end < 0) return [];
    reader.at = context === 'unquoted' ? end : end + 1;
    readAttributes(reader);
  }
  while (reader.events.length < maxEvents) {
    const open = text.indexOf('<', reader.at);
    if (open < 0) break;
    reader.at = open + 1;
    readTag(reader);
  }
  return reader.events;
}

interface Reader {
  readonly text: string;
  at: number;
  readonly events: MarkupEvent[];
}

function readTag(reader: Reader): void {
  const { text, at } = reader;
  const next = text.charAt(at);
  if (/[!?%]/.test(next)) readDeclaration(reader);
  else if (next === '/') readEndTag(reader);
  else if (/[a-z\0]/i.test(next)) readStartTag(reader);
}

function readEndTag(reader: Reader): void {
  const { text, at } = reader;
  // An end tag carries nothing that runs; what only looks like one is a comment.
  if (/[a-z]/i.test(text.charAt(at + 1))) reader.at = endOf(text, '>', at);
  else if (text.charAt(at + 1) !== '>') readComment(reader, at + 1, '>');
}

function readStartTag(reader: Reader): void {
  const name = match(nameEnd, reader.text, reader.at);
  reader.events.push({ kind: 'tag', name: plain(name) });
  reader.at += name.length;
  readAttributes(reader);
}

const nameEnd = /[^\s/>]+/y;
const attributeName = /=?[^\s/>=]*/y;
const unquotedValue = /[^\s>]*/y;
const between = /[\s/]*/y;
const equals = /\s*=\s*/y;

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function plain(name: string): string {
  return name.replaceAll('\0', '').toLowerCase();
}

function readAttributes(reader: Reader): void {
  const { text, events } = reader;
  while (reader.at < text.length && events.length < maxEvents) {
    reader.at += match(between, text, reader.at).length;
    if (text[reader.at] === '>') {
      reader.at += 1;
      return;
    }
    const name = match(attributeName, text, reader.at);
    if (name === '') return;
    reader.at += name.length;
    const sign = match(equals, text, reader.at);
    reader.at += sign.length;
    const attribute = { kind: 'attribute', name: plain(name) } as const;
    events.push(sign === '' ? attribute : { ...attribute, value: readValue(reader) });
  }
}

function readValue(reader: Reader): string {
  const { text, at } = reader;
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'" || quote === '`') {
    const close = text.indexOf(quote, at + 1);
    reader.at = close < 0 ? text.length : close + 1;
    return text.slice(at + 1, close < 0 ? text.length : close);
  }
  const value = match(unquotedValue, text, at);
  reader.at = at + value.length;
  return value;
}

function readDeclaration(reader: Reader): void {
  const { text, at } = reader;
  if (text.startsWith('!--', at)) readComment(reader, at + 3, '-->');
  else if (/^!doctype/i.test(text.slice(at, at + 8))) {
    reader.events.push({ kind: 'doctype' });
    reader.at = endOf(text, '>', at);
  } else if (text.startsWith('![CDATA[', at)) reader.at = endOf(text, ']]>', at);
  else readComment(reader, at + 1, '>');
}

function readComment(reader: Reader, start: number, closing: string): void {
  const end = reader.text.indexOf(closing, start);
  const stop = end < 0 ? reader.text.length : end;
  reader.events.push({ kind: 'comment', text: reader.text.slice(start, stop) });
  reader.at = end < 0 ? stop : stop + closing.length;
}

function endOf(text: string, closing: string, from: number): number {
  const end = text.indexOf(closing, from);
  return end < 0 ? text.length : end + closing.length;
}
