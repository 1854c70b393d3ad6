import type { StructureCheck } from '../../rules/index.ts';

/** What repeats itself all through shrinks to a few hundredths of a per cent; deflate ends at 1:1032. */
const mostGrowth = 1000;
const largeUnpacked = 10_000_000;

function swells(packed: number, unpacked: number): boolean {
  return packed > 0 && unpacked > largeUnpacked && unpacked / packed > mostGrowth;
}

/** Heads of entries: before each, and in the directory at the end, which alone knows the sizes of what was streamed. APPNOTE §4.3 */
const zipHeads = [
  { mark: 'PK\x03\x04', packed: 18, unpacked: 22, nameLength: 26, name: 30 },
  { mark: 'PK\x01\x02', packed: 20, unpacked: 24, nameLength: 28, name: 46 },
] as const;
/** More than fit into what is inspected of an upload: nothing stands behind entries that are empty. */
const maxEntries = 8192;

/** Where a size is too large for 32 bits, the extra field of this kind has it in 64. APPNOTE §4.5.3 */
const inZip64 = 0xff_ff_ff_ff;
const zip64Field = 1;

/**
 * A zip whose entries promise to grow more than a thousandfold, or an archive whose entries climb out of their directory.
 * What a 7z holds is listed in a directory that is mostly packed as well, and the last bytes of a gzip tell of its last
 * member alone (RFC 1952 §2.3.1), so of these only what stands there as it is can be judged without unpacking it.
 */
export const archiveTrap: StructureCheck = ({ files }) => {
  for (const { name: field, content } of files) {
    const value = zipTrap(content) ?? tarTrap(content) ?? listedTrap(content);
    if (value !== undefined) return { target: `file:${field}`, value };
  }
  return undefined;
};

function zipTrap(content: string): string | undefined {
  for (const head of zipHeads) {
    let at = content.indexOf(head.mark);
    for (let count = 0; at >= 0 && count < maxEntries; count += 1) {
      const length = number16(content, at + head.nameLength);
      const { packed, unpacked } = sizesOf(content, at, head, length);
      const name = content.slice(at + head.name, at + head.name + Math.min(length, 512));
      if (climbs(name)) return name;
      if (swells(packed, unpacked)) return `${name}: ${packed} bytes grow to ${unpacked}`;
      at = content.indexOf(head.mark, at + 4);
    }
  }
  return undefined;
}

function climbs(name: string): boolean {
  return name.includes('..') && /(?:^|[/\\])\.\.[/\\]/.test(name);
}

const tarBlock = 512;

/** A tar, whose heads stand each before its file, in blocks. POSIX.1-1988, ustar */
function tarTrap(content: string): string | undefined {
  let at = 0;
  for (let count = 0; content.startsWith('ustar', at + 257) && count < maxEntries; count += 1) {
    const size = Number.parseInt(content.slice(at + 124, at + 136), 8) || 0;
    const data = content.slice(at + tarBlock, at + tarBlock + Math.min(size, tarBlock));
    const name = nameOf(content.charAt(at + 156), content.slice(at, at + 100), data);
    if (climbs(name)) return name;
    at += tarBlock * (1 + Math.ceil(size / tarBlock));
  }
  return undefined;
}

/** The name in a head, or the long one of the next entry that stands in its data: `L` of GNU, `x` and `g` of POSIX. */
function nameOf(kind: string, inHead: string, data: string): string {
  const told = kind === 'L' ? data : kind === 'x' || kind === 'g' ? longName.exec(data)?.[1] : undefined;
  return (told ?? inHead).split('\0', 1)[0] ?? '';
}

/** `30 path=…`, and not where a link leads, which may be up. */
const longName = /(?:^|\n)\d{1,5} path=([^\n]{1,500})/;

/** Two steps up, which packed bytes do not hold by chance, as RAR names an entry and, in UTF-16, 7z. */
const listedClimbs = [
  { mark: 'Rar!\x1a\x07', pattern: /\.\.[/\\]\.\.[/\\][^\0]{0,80}/ },
  { mark: '7z\xbc\xaf\x27\x1c', pattern: /\.\0\.\0[/\\]\0(?:[^\0]\0){1,80}/ },
] as const;

function listedTrap(content: string): string | undefined {
  const listed = listedClimbs.find(({ mark }) => content.startsWith(mark));
  return listed?.pattern.exec(content)?.[0].replaceAll('\0', '');
}

function sizesOf(content: string, at: number, head: (typeof zipHeads)[number], nameLength: number) {
  const packed = number32(content, at + head.packed);
  const unpacked = number32(content, at + head.unpacked);
  if (packed !== inZip64 && unpacked !== inZip64) return { packed, unpacked };
  let field = at + head.name + nameLength;
  const end = field + number16(content, at + head.nameLength + 2);
  while (field + 4 <= end && number16(content, field) !== zip64Field)
    field += 4 + number16(content, field + 2);
  if (field + 4 > end) return { packed, unpacked };
  // Only sizes that did not fit stand here, the unpacked one first.
  const large = unpacked === inZip64 ? number64(content, field + 4) : unpacked;
  const behind = unpacked === inZip64 ? field + 12 : field + 4;
  return { packed: packed === inZip64 ? number64(content, behind) : packed, unpacked: large };
}

function number16(text: string, at: number): number {
  return (text.charCodeAt(at) || 0) + (text.charCodeAt(at + 1) || 0) * 256;
}

function number64(text: string, at: number): number {
  return number32(text, at) + number32(text, at + 4) * 2 ** 32;
}

function number32(text: string, at: number): number {
  let value = 0;
  for (let byte = 3; byte >= 0; byte -= 1) value = value * 256 + (text.charCodeAt(at + byte) || 0);
  return value;
}
