import type { ParsedRequest } from '../../parse/index.ts';
import type { StructureFinding } from '../../rules/index.ts';

/**
 * How much one request may ask of a GraphQL server. Clients that put queries together stay far below: introspection
 * nests 13 deep, batching links send 10 operations.
 */
export const graphqlLimits = {
  operations: 20,
  /** the same field under different aliases in one document */
  aliasesOfField: 100,
  depth: 30,
  /** one after the other */
  directives: 8,
  /** the same field one after the other */
  repeatedFields: 100,
} as const;

const maxDocument = 65536;
const opening = /^\s{0,40}(?:query|mutation|subscription|fragment|\{)/;
/** white space or a brace, or one of the words by its first two letters */
function mayOpen(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first === 123 || first <= 32 || first === 0xa0) return true;
  if (first === 113 || first === 109 || first === 115) return text.charCodeAt(1) === 117;
  return first === 102 && text.charCodeAt(1) === 114;
}
const documentField = /^(?:\d{1,4}\.)?query$/;

/** What in a request goes beyond {@link graphqlLimits}; undefined when nothing does, or it holds no GraphQL. */
export function graphqlFlood({ values, body }: ParsedRequest): StructureFinding | undefined {
  let operations = 0;
  for (const { part, name, text, isName } of values) {
    const isField = part === 'json' || part === 'query' || part === 'form';
    if (isName || !(isField || part === 'body')) continue;
    // The path to a value is put together when somebody looks at it, so the text is asked first.
    if (!mayOpen(text) || !opening.test(text)) continue;
    if (isField ? !documentField.test(name) : body.length !== text.length) continue;
    operations += 1;
    const excess =
      operations > graphqlLimits.operations ? 'operations' : measured(text.slice(0, maxDocument));
    if (excess !== undefined)
      return {
        target: name === '' ? part : `${part}:${name}`,
        value: `GraphQL: more than ${graphqlLimits[excess]} ${words[excess]}`,
      };
  }
  return undefined;
}

const words: Readonly<Record<keyof typeof graphqlLimits, string>> = {
  operations: 'operations in one request',
  aliasesOfField: 'aliases of one field',
  depth: 'levels',
  directives: 'directives in a row',
  repeatedFields: 'repetitions of a field',
};

const bytesOf = (members: RegExp) =>
  Uint8Array.from({ length: 256 }, (_unused, code) => (members.test(String.fromCharCode(code)) ? 1 : 0));
const ignored = bytesOf(/[\s,]/);
const wordBytes = bytesOf(/\w/);
const nameStarts = bytesOf(/[A-Za-z_]/);

/** Linear: every byte is looked at once, but for strings that nothing closes, twice. */
function measured(document: string): Exclude<keyof typeof graphqlLimits, 'operations'> | undefined {
  const aliases = new Map<string, number>();
  const strings = new StringEnds(document);
  let depth = 0;
  let brackets = 0;
  let directives = 0;
  let repeated = 0;
  let before = '';
  let last = 0;
  for (let at = 0, end = 0; at < document.length; at = end) {
    const first = document.charCodeAt(at) & 255;
    end = at + 1;
    if (ignored[first] === 1) continue;
    if (first === hash) {
      end = lineEnd(document, at);
      continue;
    }
    if (first === quote) end = strings.after(at);
    else if (first === atSign || nameStarts[first] === 1)
      while (end < document.length && wordBytes[document.charCodeAt(end) & 255] === 1) end += 1;
    directives = first === atSign && end - at > 1 ? directives + 1 : 0;
    if (directives > graphqlLimits.directives) return 'directives';
    if (first === openBrace) depth += 1;
    else if (first === closeBrace) depth -= 1;
    else if (first === openParenthesis) brackets += 1;
    else if (first === closeParenthesis) brackets -= 1;
    if (depth > graphqlLimits.depth) return 'depth';
    if (brackets === 0 && nameStarts[first] === 1) {
      const name = document.slice(at, end);
      if (last === colon) {
        const count = (aliases.get(name) ?? 0) + 1;
        if (count > graphqlLimits.aliasesOfField) return 'aliasesOfField';
        aliases.set(name, count);
      }
      repeated = name === before ? repeated + 1 : 0;
      if (repeated >= graphqlLimits.repeatedFields) return 'repeatedFields';
      before = name;
    }
    last = first;
  }
  return undefined;
}

const [quote, hash, atSign, colon, backslash] = [34, 35, 64, 58, 92];
const [openBrace, closeBrace, openParenthesis, closeParenthesis] = [123, 125, 40, 41];

function lineEnd(document: string, from: number): number {
  const end = document.indexOf('\n', from);
  return end < 0 ? document.length : end;
}

/** Finds where strings end. */
class StringEnds {
  private readonly document: string;
  /** No quote before this place closes: each would be read as the one that was tried. */
  private unclosedTo = 0;

  constructor(document: string) {
    this.document = document;
  }

  /** @returns what follows the string that opens at a quote, or the quote where nothing closes it */
  after(opening: number): number {
    const { document } = this;
    if (document.startsWith('"""', opening)) {
      const close = document.indexOf('"""', opening + 3);
      if (close >= 0) return close + 3;
    }
    if (opening < this.unclosedTo) return opening + 1;
    let at = opening + 1;
    for (; at < document.length; at += 1) {
      const code = document.charCodeAt(at);
      if (code === quote) return at + 1;
      if (code === backslash) at += 1;
      if (isLineEnd(document.charCodeAt(at)) && (code === backslash || code === 10)) break;
    }
    this.unclosedTo = at;
    return opening + 1;
  }
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}
