import { hexByte, utf8Bytes } from '../decode/index.ts';
import { before, type JsonString, JsonStrings } from './json-strings.ts';
import { type FirstLook, mayNameSaml, noLook, type Part, type Sink } from './value.ts';

/** What a JSON reader met. `wellFormed` false: the text must also be inspected as it stands. */
export interface JsonOutcome {
  readonly wellFormed: boolean;
  /** the text ended before its JSON did, and was JSON up to there */
  readonly cut: boolean;
  readonly tooDeep: boolean;
}

export interface JsonContext {
  readonly part: Part;
  /** what stands before the path: the parameter whose value this is */
  readonly name: string;
  readonly decoders: readonly string[];
  readonly maxDepth: number;
  /** tells which strings are passed over; absent: none */
  readonly look?: FirstLook;
  /** what the first strings of documents alike were, see {@link JsonStrings}; absent: there were none */
  readonly head?: JsonString;
}

/**
 * Reads JSON and gives every string and every key; numbers and literals can't carry an attack. Duplicate
 * keys are all given. Comments and several values in a row (NDJSON) are read too. Stops at the first thing that
 * is no JSON. Never throws, never recurses.
 * @see RFC 8259
 */
export function parseJson(text: string, context: JsonContext, sink: Sink): JsonOutcome {
  return new JsonReader(text, context, sink).read();
}

interface Frame {
  /** -1 in an object, else the index of the next element */
  index: number;
  readonly outer: Frame | undefined;
  key: JsonString | undefined;
  /** of a list: what stands before the first string of an element */
  readonly head: JsonString | undefined;
  /** where its present key or element stands, once asked for */
  path: string | undefined;
}

class JsonReader {
  private readonly text: string;
  private readonly context: JsonContext;
  private readonly sink: Sink;
  private readonly firstLook: FirstLook;
  private readonly decoders: readonly string[];
  private readonly escaped: readonly string[];
  private readonly frames: Frame[] = [];
  private readonly strings: JsonStrings;
  private readonly head: JsonString;
  private at = 0;
  private nextBackslash: number;
  private strict = true;

  constructor(text: string, context: JsonContext, sink: Sink) {
    this.text = text;
    this.context = context;
    this.sink = sink;
    this.firstLook = context.look ?? noLook;
    this.decoders = [...context.decoders, 'json'];
    this.escaped = [...this.decoders, 'jsDecode'];
    this.nextBackslash = text.indexOf('\\');
    this.head = context.head ?? before();
    this.strings = new JsonStrings(text, this.head);
  }

  read(): JsonOutcome {
    let expectValue = true;
    for (;;) {
      const code = this.next();
      if (code < 0) return this.outcome(this.frames.length === 0);
      const frame = this.frames[this.frames.length - 1];
      if (expectValue) {
        const next = this.readValue(code, frame);
        if (next === 'stop') return this.outcome(false);
        if (next === 'too deep') return { wellFormed: false, cut: false, tooDeep: true };
        expectValue = next === 'opened array';
        continue;
      }
      if (!frame) {
        expectValue = true; // another document: NDJSON
        this.strings.goOnFrom(this.head);
        continue;
      }
      const next = this.readBetween(code, frame);
      if (next === 'stop') return this.outcome(false);
      expectValue = next === 'value';
    }
  }

  private outcome(complete: boolean): JsonOutcome {
    const cut = !complete && this.at >= this.text.length;
    return { wellFormed: complete && this.strict, cut, tooDeep: false };
  }

  private readValue(code: number, frame: Frame | undefined): 'done' | 'opened array' | 'stop' | 'too deep' {
    if (code === 34) {
      const string = this.readString(false);
      return string && this.give(string, frame) ? 'done' : 'stop';
    }
    if (code === 123 || code === 91) {
      if (this.frames.length >= this.context.maxDepth) return 'too deep';
      this.at += 1;
      const head = code === 91 ? before() : undefined;
      this.frames.push({ index: head ? 0 : -1, outer: frame, key: undefined, head, path: undefined });
      if (head) this.strings.goOnFrom(head);
      return head ? 'opened array' : 'done';
    }
    if (code === 93 && frame?.index === 0) {
      this.at += 1;
      this.frames.pop();
      return 'done';
    }
    return this.skipScalar(code) ? 'done' : 'stop';
  }

  /** What stands after a value or an opening brace: a comma, a key or the end of the container. */
  private readBetween(code: number, frame: Frame): 'value' | 'again' | 'stop' {
    if (code === 125 || code === 93) {
      if ((code === 125) !== frame.index < 0) return 'stop';
      this.at += 1;
      this.frames.pop();
      return 'again';
    }
    if (code === 44) {
      this.at += 1;
      if (frame.index < 0) return 'again';
      frame.index += 1;
      frame.path = undefined;
      if (frame.head) this.strings.goOnFrom(frame.head);
      return 'value';
    }
    if (code !== 34 || frame.index >= 0) return 'stop';
    const key = this.readString(true);
    if (!key) return 'stop';
    frame.key = key;
    frame.path = undefined;
    if (!this.give(key, frame)) return 'stop';
    if (this.next() !== 58) return 'stop';
    this.at += 1;
    return 'value';
  }

  private pathOf(frame: Frame | undefined): string {
    if (!frame) return this.context.name;
    if (frame.path !== undefined) return frame.path;
    const own = frame.index < 0 ? (frame.key ? this.textOf(frame.key) : '') : String(frame.index);
    const prefix = this.pathOf(frame.outer);
    frame.path = prefix === '' ? own : `${prefix}.${own}`;
    return frame.path;
  }

  private textOf(string: JsonString): string {
    string.text ??= string.unescaped ?? string.source.slice(string.from, string.to);
    return string.text;
  }

  private give(string: JsonString, frame: Frame | undefined): boolean {
    const { source, unescaped, from, to, isName, look } = string;
    if ((unescaped?.length ?? to - from) < 2) return true;
    const { part } = this.context;
    if (!look && (isName || !frame || !this.mayNameSaml(frame))) return this.firstLook.pass();
    return this.sink({
      part,
      name: this.pathOf(frame),
      isName,
      text: this.textOf(string),
      source: unescaped ?? source,
      at: unescaped === undefined ? from : 0,
      decoders: unescaped === undefined ? this.decoders : this.escaped,
      look,
    });
  }

  private mayNameSaml({ index, key }: Frame): boolean {
    if (index >= 0 || !key) return false;
    const { source, unescaped, from, to } = key;
    return unescaped === undefined
      ? mayNameSaml(source, from, to)
      : mayNameSaml(unescaped, 0, unescaped.length);
  }

  /** Reads on behind the string that stands here; undefined where it has no end. */
  private readString(isName: boolean): JsonString | undefined {
    const start = this.at + 1;
    const found = this.strings.find(start, isName);
    if (found) {
      this.at = start + found.to - found.from + 1;
      return found;
    }
    let end = this.text.indexOf('"', start);
    if (end < 0) return this.unclosed(start);
    if (this.nextBackslash >= 0 && this.nextBackslash < start)
      this.nextBackslash = this.text.indexOf('\\', start);
    const isEscaped = this.nextBackslash >= 0 && this.nextBackslash < end;
    if (isEscaped) {
      let slash = this.nextBackslash;
      while (slash >= 0 && slash < end) {
        if (slash === end - 1) end = this.text.indexOf('"', slash + 2);
        if (end < 0) return this.unclosed(start);
        slash = this.text.indexOf('\\', slash + 2);
      }
      this.nextBackslash = slash < 0 ? -1 : slash;
    }
    this.at = end + 1;
    const string = this.stringAt(start, end, isName, isEscaped);
    this.strings.add(string);
    return string;
  }

  private stringAt(from: number, to: number, isName: boolean, isEscaped: boolean): JsonString {
    const { text, firstLook } = this;
    const { part } = this.context;
    const unescaped = isEscaped ? jsonUnescape(text.slice(from, to)) : undefined;
    const look =
      unescaped === undefined
        ? firstLook.at(text, from, to, part, isName)
        : firstLook.at(unescaped, 0, unescaped.length, part, isName);
    return { source: text, from, to, isName, unescaped, text: undefined, look, next: undefined };
  }

  /** A string that the end of the text cuts short is still given. */
  private unclosed(start: number): undefined {
    const string = this.stringAt(start, this.text.length, false, true);
    this.give(string, this.frames[this.frames.length - 1]);
    this.at = this.text.length;
    return undefined;
  }

  private skipScalar(code: number): boolean {
    // Whole numbers by hand: a pattern takes as long to be called as to read a dozen digits.
    let end = this.at;
    if (isDigit(code)) {
      do end += 1;
      while (isDigit(this.text.charCodeAt(end)));
      const after = this.text.charCodeAt(end) | 32;
      if (after !== 46 && after !== 101) {
        this.at = end;
        return true;
      }
    }
    scalar.lastIndex = this.at;
    if (!scalar.test(this.text)) return false;
    this.at = scalar.lastIndex;
    return true;
  }

  /** What stands behind white space and comments; negative at the end of the text. */
  private next(): number {
    const { text } = this;
    for (;;) {
      if (this.at >= text.length) return -1;
      const code = text.charCodeAt(this.at);
      if (code > 47) return code;
      if (code === 32 || code === 10 || code === 13 || code === 9) this.at += 1;
      else if (code === 47 && this.skipComment()) this.strict = false;
      else return code;
    }
  }

  private skipComment(): boolean {
    const opening = this.text.slice(this.at, this.at + 2);
    if (opening !== '/*' && opening !== '//') return false;
    const end = this.text.indexOf(opening === '/*' ? '*/' : '\n', this.at + 2);
    this.at = end < 0 ? this.text.length : end + (opening === '/*' ? 2 : 1);
    return true;
  }
}

const isDigit = (code: number) => code >= 48 && code <= 57;

const scalar = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What `JSON.parse` refuses in a string, and `\u`, of which it makes characters instead of bytes. */
const beyondJson = /[\x00-\x1f]|\\(?:[^"\\/bfnrt]|$)/;

const single: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Undoes the escapes of a string without a quote of its own: `\uXXXX` becomes UTF-8 bytes, surrogate pairs joined. Unknown escapes lose the `\`. */
export function jsonUnescape(text: string): string {
  // The platform's own parser is several times faster; it is given only what it can't refuse.
  if (!beyondJson.test(text)) return JSON.parse(`"${text}"`) as string;
  let decoded = '';
  let copied = 0;
  for (let at = text.indexOf('\\'); at >= 0 && at + 1 < text.length; at = text.indexOf('\\', copied)) {
    decoded += text.slice(copied, at);
    const unit = unitAt(text, at);
    const low = isHigh(unit) ? unitAt(text, at + 6) : -1;
    if (unit < 0) {
      const char = text.charAt(at + 1);
      decoded += single[char] ?? char;
      copied = at + 2;
    } else if (isLow(low)) {
      decoded += utf8Bytes(0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00);
      copied = at + 12;
    } else {
      decoded += utf8Bytes(unit);
      copied = at + 6;
    }
  }
  return decoded + text.slice(copied);
}

/** The UTF-16 unit that `\uXXXX` stands for; negative where no such escape stands. */
function unitAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== 92 || text.charCodeAt(at + 1) !== 117) return -1;
  const high = hexByte(text, at + 2);
  const low = hexByte(text, at + 4);
  return high < 0 || low < 0 ? -1 : (high << 8) | low;
}

/** The first of a pair of units, and the second. */
const isHigh = (unit: number) => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number) => (unit & 0xfc00) === 0xdc00;
