import { type ByteSet, type PatternNode, parsePattern, spaces } from '../pattern/index.ts';
import { randomFrom } from './random.ts';

/** Repetitions beyond the least that a sample holds at most. */
const maxMore = 4;

/**
 * Texts that a pattern is likely to match, put together from its own tree: each alternative, each member of a class, and
 * white space of every kind where it may stand. What looks around is not obeyed, so ask the pattern which of them match.
 * @param seed the same seed gives the same texts
 */
export function samplesOf(pattern: RegExp, count: number, seed: number): string[] {
  const { source, ignoreCase, dotAll, multiline } = pattern;
  const parsed = parsePattern(source, { ignoreCase, dotAll, multiline, detailed: true });
  if (!parsed.ok) throw new Error(`${parsed.issue.reason}: ${source}`);
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => write(parsed.node, { random, groups: new Map() }));
}

interface Writing {
  readonly random: () => number;
  /** what each group of this sample holds */
  readonly groups: Map<number, string>;
}

function write(node: PatternNode, writing: Writing): string {
  switch (node.kind) {
    case 'set':
      return oneOf(membersOf(node.set), writing);
    case 'sequence':
      return node.items.map((item) => write(item, writing)).join('');
    case 'either':
      return write(oneOf(node.items, writing), writing);
    case 'repeat': {
      const most = Math.min(node.max, node.min + maxMore);
      const times = node.min + Math.floor(writing.random() * (most - node.min + 1));
      return Array.from({ length: times }, () => write(node.item, writing)).join('');
    }
    case 'capture': {
      const text = write(node.item, writing);
      writing.groups.set(node.index, text);
      return text;
    }
    case 'assert':
      return '';
    case 'irregular':
      return node.group === undefined ? '' : (writing.groups.get(node.group) ?? '');
  }
}

function oneOf<T>(of: readonly T[], { random }: Writing): T {
  return of[Math.floor(random() * of.length)] as T;
}

const members = new WeakMap<ByteSet, readonly string[]>();

/** Every byte of a small set; of a large one white space and signs count for as much as all letters together. */
function membersOf(set: ByteSet): readonly string[] {
  const known = members.get(set);
  if (known) return known;
  const bytes = [...set.keys()].filter((byte) => set[byte] === 1);
  const blank = bytes.filter((byte) => spaces[byte] === 1);
  const found = [
    ...bytes,
    ...Array.from({ length: blank.length > 0 && bytes.length > 32 ? 4 : 0 }, () => blank).flat(),
  ];
  const texts = found.map((byte) => String.fromCharCode(byte));
  members.set(set, texts);
  return texts;
}
