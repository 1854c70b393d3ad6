/** 32-bit words of an address, most significant first; IPv4 has one, IPv6 four. */
export type AddressWords = readonly [number] | readonly [number, number, number, number];

export interface ParsedNetwork {
  readonly words: AddressWords;
  /** leading bits that count: 32 or 128 for one address */
  readonly prefix: number;
}

/**
 * Reads an address or a CIDR network. IPv4 within IPv6 (`::ffff:192.0.2.1`) is read as the IPv4 that it is, so
 * that a dual-stack socket cannot slip past a list. Zone ids and octets with leading zeros are refused.
 * Linear and without regular expressions, for lists hold a million.
 * @returns undefined where the text is neither. Never throws.
 * @see RFC 4291 §2.2, RFC 4632 §3.1
 */
export function parseNetwork(text: string): ParsedNetwork | undefined {
  const slash = text.indexOf('/');
  const words = parseAddress(slash === -1 ? text : text.slice(0, slash));
  if (words === undefined) return undefined;
  const bits = words.length * 32;
  if (slash === -1) return { words, prefix: bits };
  // An IPv4-mapped network counts its prefix on the 128 bits that were written.
  const mapped = words.length === 1 && text.includes(':');
  const written = decimal(text, slash + 1, text.length, mapped ? 128 : bits);
  const prefix = mapped ? written - 96 : written;
  return written < 0 || prefix < 0 ? undefined : { words, prefix };
}

/** @returns the words of one address; undefined where the text is none. IPv4-mapped IPv6 comes out as IPv4. */
export function parseAddress(text: string): AddressWords | undefined {
  if (!text.includes(':')) {
    const word = parseIpv4(text, 0);
    return word < 0 ? undefined : [word];
  }
  const groups = parseGroups(text);
  if (groups === undefined) return undefined;
  const word = (index: number) => ((groups[index] ?? 0) * 65_536 + (groups[index + 1] ?? 0)) >>> 0;
  const mapped = word(0) === 0 && word(2) === 0 && word(4) === 0xffff;
  return mapped ? [word(6)] : [word(0), word(2), word(4), word(6)];
}

/** @returns the number in [start, end), or -1 where it is none, too large or has a leading zero */
function decimal(text: string, start: number, end: number, max: number): number {
  if (start >= end || end - start > 3 || (end - start > 1 && text.charCodeAt(start) === 48)) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value > max ? -1 : value;
}

function parseIpv4(text: string, from: number): number {
  let word = 0;
  let start = from;
  for (let octet = 0; octet < 4; octet++) {
    const dot = text.indexOf('.', start);
    const end = octet === 3 ? text.length : dot;
    if (end === -1 || (octet === 3 && dot !== -1)) return -1;
    const value = decimal(text, start, end, 255);
    if (value < 0) return -1;
    word = word * 256 + value;
    start = end + 1;
  }
  return word;
}

function parseGroups(text: string): number[] | undefined {
  const gap = text.indexOf('::');
  if (gap === -1) {
    const groups = parseRun(text);
    return groups?.length === 8 ? groups : undefined;
  }
  if (text.includes('::', gap + 1)) return undefined;
  const head = parseRun(text.slice(0, gap));
  const tail = parseRun(text.slice(gap + 2));
  if (head === undefined || tail === undefined || head.length + tail.length > 7) return undefined;
  if (text.slice(0, gap).includes('.')) return undefined;
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** Groups of four hex digits, the last two perhaps in dotted IPv4. */
function parseRun(text: string): number[] | undefined {
  const groups: number[] = [];
  if (text === '') return groups;
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes('.')) {
      const word = parseIpv4(part, 0);
      if (word < 0) return undefined;
      groups.push(word >>> 16, word & 0xffff);
    } else {
      const group = hexGroup(part);
      if (group < 0) return undefined;
      groups.push(group);
    }
  }
  return groups;
}

function hexGroup(part: string): number {
  if (part.length === 0 || part.length > 4) return -1;
  let value = 0;
  for (let i = 0; i < part.length; i++) {
    const code = part.charCodeAt(i);
    const lower = code | 32;
    const digit = code >= 48 && code <= 57 ? code - 48 : lower >= 97 && lower <= 102 ? lower - 87 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
