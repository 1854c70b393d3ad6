import type { ByteSet, PatternNode } from '../pattern/index.ts';
import { cpuTimes, takesLonger } from './growth.ts';
import { type Loop, loopsOf, readPattern, readsCharacters } from './patterns.ts';
import { randomFrom } from './random.ts';

/** A text made to keep a backtracking matcher busy, and how it was made. */
export interface HostileText {
  readonly text: string;
  /** `'prefix' + 'pump' × 4000 + 'suffix'` */
  readonly told: string;
}

/** Loops of fewer rounds cost next to nothing. */
const fewRounds = 4;

/** Makes a text of so many bytes; the same seed makes a like one of every size. */
export type MakeText = (seed: number, size: number) => HostileText;

/**
 * Makes texts from a pattern itself: what leads to one of its loops, what its loops read over and over, and an end that
 * does not fit. Bytes that many of its loops and sets hold stand in them more often than others.
 * @returns undefined where nothing is repeated
 */
export function hostileTextsOf(pattern: RegExp): MakeText | undefined {
  const node = readPattern(pattern);
  const loops = loopsOf(node).filter(({ max }) => max > fewRounds);
  if (loops.length === 0) return undefined;
  const known = {
    node,
    loops: loops.flatMap((loop) => Array<Loop>(weightOf(loop)).fill(loop)),
    classes: classesOf(node),
  };
  const characters = readsCharacters(pattern);
  return (seed, size) => {
    const making: Making = { ...known, random: randomFrom(seed), size };
    const pieces = either(making, ...shapes)(making);
    const bytes = pieces.map(written).join('');
    const text = characters ? Buffer.from(bytes, 'latin1').toString() : bytes;
    return { text, told: pieces.map(tell).join(' + ') };
  };
}

/** Of a loop that holds choices and loops of its own, there is more to try. */
function weightOf({ item }: Loop): number {
  const parts = (node: PatternNode): number => {
    if (node.kind === 'sequence' || node.kind === 'either')
      return node.items.reduce((sum, part) => sum + parts(part), 0);
    return node.kind === 'repeat' || node.kind === 'capture' ? parts(node.item) : 1;
  };
  return Math.min(6, parts(item));
}

/** How a pattern is tried: many short texts, and what takes longest of them once more at length. */
export interface Trial {
  readonly seed: number;
  readonly tried: number;
  readonly kept: number;
  /** of the texts that are kept, in bytes */
  readonly size: number;
  /** milliseconds of CPU that each of these may take */
  readonly most: number;
}

const shortSize = 600;

/** @returns a text that keeps a pattern busy for longer than it may, twice; undefined where none was found */
export function findHurting(
  pattern: RegExp,
  { seed, tried, kept, size, most }: Trial,
): HostileText | undefined {
  const make = hostileTextsOf(pattern);
  if (!make) return undefined;
  const seeds = Array.from({ length: tried }, (_unused, index) => seed * tried + index);
  const run = (one: number, length: number) => {
    const { text } = make(one, length);
    return () => runPattern(pattern, text);
  };
  const times = cpuTimes(
    most,
    seeds.map((one) => run(one, shortSize)),
  );
  const slowest = times
    .map((time, index) => [time, seeds[index] ?? 0] as const)
    .sort(([one], [other]) => other - one);
  const hurting = slowest.slice(0, kept).find(([, one]) => takesLonger(most, run(one, size)));
  return hurting && make(hurting[1], size);
}

/** Runs a pattern on a text as its flags say: to the first match, to all of them, or at one place and another. */
export function runPattern(pattern: RegExp, text: string): void {
  if (pattern.global) text.match(pattern);
  else
    for (const at of pattern.sticky ? [0, text.length >> 1] : [0]) {
      pattern.lastIndex = at;
      pattern.exec(text);
    }
}

/** A piece of a text, so many times over. */
type Piece = readonly [piece: string, times: number];

function written([piece, times]: Piece): string {
  return piece.repeat(times);
}

function tell([piece, times]: Piece): string {
  return times === 1 ? JSON.stringify(piece) : `${JSON.stringify(piece)} × ${times}`;
}

interface Making {
  readonly node: PatternNode;
  /** those of many parts several times */
  readonly loops: readonly Loop[];
  /** bytes that the pattern does not tell apart; those that most of its sets and loops hold come first */
  readonly classes: readonly (readonly number[])[];
  readonly random: () => number;
  readonly size: number;
}

type Shape = (making: Making) => readonly Piece[];

/** Something over and over, or one thing behind another, between what may stand around a loop. */
function pumped(
  making: Making,
  pumps: readonly string[],
  loop = either(making, ...making.loops),
): readonly Piece[] {
  const around = aroundLoop(making, making.node, loop) ?? { before: '', behind: '' };
  const before = either(making, '', around.before);
  const end = either(making, ending(making), around.behind, around.behind.slice(0, -1));
  const length = (making.size - before.length - end.length) / pumps.length;
  return [[before, 1], ...pumps.map((pump) => filled(pump || hot(making), length)), [end, 1]];
}

const hotBytes: Shape = (making) => pumped(making, [hot(making)]);

/** Where loops that hold the same follow each other. */
const runs: Shape = (making) => {
  const count = either(making, 2, 2, 3);
  return pumped(
    making,
    Array.from({ length: count }, () => either(making, hot, word)(making)),
  );
};

const words: Shape = (making) => pumped(making, [word(making)]);

/** What a loop reads in a few rounds. */
const rounds: Shape = (making) => {
  const loop = either(making, ...making.loops);
  const count = either(making, 1, 2, 2, 3);
  return pumped(making, [Array.from({ length: count }, () => sample(making, loop.item)).join('')], loop);
};

/** A piece of what matches, over and over: a match is begun at each. */
const beginnings: Shape = (making) => {
  const whole = sample(making, making.node);
  const piece = whole.slice(0, 1 + Math.floor(making.random() * whole.length));
  const end = ending(making);
  return [
    filled(either(making, piece, piece + hot(making)) || hot(making), making.size - end.length),
    [end, 1],
  ];
};

/** What matches, its loops as long as can be, but for its end; over and over where that is short. */
const stretched: Shape = (making) => {
  const parts: Piece[] = [];
  stretch(making, making.node, parts);
  const kept = parts.slice(0, Math.max(1, parts.length - either(making, 0, 1, 1, 2)));
  const long = kept.filter(([, times]) => times > 1).length;
  const each = Math.floor(making.size / Math.max(1, long));
  const match = kept.map(([piece, times]) =>
    times > 1 ? filled(piece, each, times) : ([piece, times] as const),
  );
  const length = match.reduce((sum, [piece, times]) => sum + piece.length * times, 0);
  if (length > making.size / 2) return [...match, [ending(making), 1]];
  return [filled(match.map(written).join('') || hot(making), making.size), [ending(making), 1]];
};

const shapes: readonly Shape[] = [hotBytes, runs, runs, rounds, rounds, rounds, stretched, words, beginnings];

function either<T>({ random }: Making, ...of: readonly T[]): T {
  return of[Math.floor(random() * of.length)] as T;
}

function filled(piece: string, length: number, most = Infinity): Piece {
  return [piece, Math.max(1, Math.min(most, Math.floor(length / Math.max(1, piece.length))))];
}

/** A byte, more likely one that many sets hold. */
function hot({ classes, random }: Making): string {
  let index = 0;
  while (random() < 0.6 && index < classes.length - 1) index += 1;
  return oneOf(classes[index] ?? [], random);
}

function oneOf(bytes: readonly number[], random: () => number): string {
  const byte = bytes[Math.floor(random() * bytes.length)];
  return byte === undefined ? '' : String.fromCharCode(byte);
}

function word(making: Making): string {
  return Array.from({ length: 2 + Math.floor(making.random() * 3) }, () => hot(making)).join('');
}

/** Mostly what fits least of all. */
function ending(making: Making): string {
  const { classes, random } = making;
  const coldest = oneOf(classes.at(-1) ?? [], random);
  return either(
    making,
    '',
    coldest,
    coldest,
    `\n${coldest}`,
    hot(making),
    sample(making, making.node).slice(-3),
  );
}

/** Texts that match what stands before a loop and behind it; undefined where the node does not hold it. */
function aroundLoop(making: Making, node: PatternNode, loop: Loop): Around | undefined {
  if (node === loop) return { before: '', behind: '' };
  switch (node.kind) {
    case 'sequence': {
      const at = node.items.findIndex((item) => holds(item, loop));
      const around = node.items[at] && aroundLoop(making, node.items[at], loop);
      if (!around) return undefined;
      const match = (items: readonly PatternNode[]) => items.map((item) => sample(making, item)).join('');
      return {
        before: match(node.items.slice(0, at)) + around.before,
        behind: around.behind + match(node.items.slice(at + 1)),
      };
    }
    case 'either': {
      const item = node.items.find((one) => holds(one, loop));
      return item && aroundLoop(making, item, loop);
    }
    case 'capture':
    case 'repeat':
      return aroundLoop(making, node.item, loop);
    case 'irregular':
      return node.look && aroundLoop(making, node.look.item, loop);
    default:
      return undefined;
  }
}

interface Around {
  readonly before: string;
  readonly behind: string;
}

function holds(node: PatternNode, loop: Loop): boolean {
  return loopsOf(node).includes(loop);
}

/** A short text that matches, but for what looks around. */
function sample(making: Making, node: PatternNode): string {
  const { random } = making;
  switch (node.kind) {
    case 'set':
      return member(making, node.set);
    case 'sequence':
      return node.items.map((item) => sample(making, item)).join('');
    case 'either':
      return sample(making, either(making, ...node.items));
    case 'capture':
      return sample(making, node.item);
    case 'repeat': {
      const times = Math.min(node.max, 16, node.min + either(making, 0, 0, 1, 1, 2, 8));
      return Array.from({ length: times }, () => sample(making, node.item)).join('');
    }
    case 'irregular':
      return node.look && random() < (node.look.negative ? 0.2 : 0.5) ? sample(making, node.look.item) : '';
    default:
      return '';
  }
}

/** A byte of a set, more likely one that many others hold too. */
function member({ classes, random }: Making, set: ByteSet): string {
  const held = classes.filter(([byte]) => byte !== undefined && set[byte] === 1);
  let index = random() < 0.5 ? 0 : Math.floor(random() * held.length);
  while (random() < 0.3 && index < held.length - 1) index += 1;
  return oneOf(held[index] ?? [], random);
}

/** A match as pieces, those of loops many times over. */
function stretch(making: Making, node: PatternNode, into: Piece[]): void {
  switch (node.kind) {
    case 'sequence':
      for (const item of node.items) stretch(making, item, into);
      return;
    case 'either':
      stretch(making, either(making, ...node.items), into);
      return;
    case 'capture':
      stretch(making, node.item, into);
      return;
    case 'repeat': {
      const round = sample(making, node.item);
      if (round === '' || node.max <= fewRounds) into.push([sample(making, node), 1]);
      else
        into.push([
          round,
          Math.max(2, Math.floor(Math.min(node.max, making.size) * either(making, 1, 1, 0.5, 0.1))),
        ]);
      return;
    }
    case 'irregular':
      if (node.look?.behind && !node.look.negative) stretch(making, node.look.item, into);
      return;
    default:
      into.push([sample(making, node), 1]);
  }
}

/** Groups the bytes that a pattern does not tell apart, those that most of its sets and loops hold first. */
function classesOf(node: PatternNode): number[][] {
  const heat = new Array<number>(256).fill(0);
  const told = new Array<number>(256).fill(0);
  let count = 0;
  const visit = (at: PatternNode, weight: number): void => {
    if (at.kind === 'set') {
      count += 1;
      for (let byte = 0; byte < 256; byte += 1) {
        if (at.set[byte] !== 1) continue;
        heat[byte] = (heat[byte] ?? 0) + weight;
        told[byte] = Math.imul((told[byte] ?? 0) ^ count, 0x9e3779b1);
      }
    } else if (at.kind === 'sequence' || at.kind === 'either')
      for (const item of at.items) visit(item, weight);
    else if (at.kind === 'repeat') visit(at.item, at.max > fewRounds ? Math.max(weight, 1) * 3 : weight);
    else if (at.kind === 'capture') visit(at.item, weight);
    else if (at.kind === 'irregular' && at.look) visit(at.look.item, weight);
  };
  visit(node, 1);
  const classes = Map.groupBy(
    Array.from({ length: 256 }, (_unused, byte) => byte),
    (byte) => told[byte],
  );
  return [...classes.values()].sort(([one = 0], [other = 0]) => (heat[other] ?? 0) - (heat[one] ?? 0));
}
