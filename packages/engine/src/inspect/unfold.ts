import {
  bareEntity,
  entityNames,
  fullWidth,
  jsDecode,
  overlongUtf8,
  percentDecodeUni,
  removeNulls,
  type Transformation,
  utf7Decode,
  utf16Decode,
} from '../decode/index.ts';
import type { GateLiteral } from '../gate/index.ts';
import { beside, besideOneOf, byteSet } from '../pattern/index.ts';
import { decodeBesideShownCode } from './shown-code.ts';

/** A decoder, and what a text must hold (any one, any case) for it to be applied at all. */
export interface Step {
  readonly name: string;
  readonly apply: Transformation;
  readonly triggers: readonly GateLiteral[];
}

const noLetter = beside(byteSet([0, 64], [91, 96], [123, 255]), { edge: true });

/** In the order in which they are applied within one round. */
export const steps: readonly Step[] = [
  {
    name: 'urlDecodeUni',
    apply: percentDecodeUni,
    triggers: [{ text: '%', after: besideOneOf([48, 57], [65, 70], [97, 102], [85, 85], [117, 117]) }],
  },
  { name: 'utf16Decode', apply: utf16Decode, triggers: ['\0'] },
  { name: 'removeNulls', apply: removeNulls, triggers: ['\0'] },
  {
    name: 'overlongUtf8',
    apply: overlongUtf8,
    triggers: ['\xc0', '\xc1', '\xe0\x80', '\xe0\x81', '\xf0\x80', '\xf8\x80', '\xfc\x80'],
  },
  {
    name: 'fullWidth',
    apply: fullWidth,
    // Few bytes, since each that is told apart widens the automaton's tables: what stands behind is looked at there.
    triggers: [
      ...['\xef\xbc', '\xef\xbd', '\xef\xb9', '\xe2\x81\x84', '\xe2\x88\x95', '\xe2\x88\x96', '\xe2\x80'],
      ...['\xe2\x92', '\xe2\x93', '\xe3\x80\x80', '\xf0\x9d', '\xc2\xa0', '\xca'],
    ],
  },
  { name: 'utf7Decode', apply: utf7Decode, triggers: ['+a'] },
  {
    name: 'htmlEntityDecode',
    apply: decodeBesideShownCode,
    triggers: [
      '&#',
      ...entityNames.map((name) =>
        bareEntity.test(name)
          ? { text: `&${name}`, after: noLetter }
          : { text: `&${name}`, after: besideOneOf([59, 59]) },
      ),
    ],
  },
  {
    name: 'jsDecode',
    apply: jsDecode,
    triggers: ['\\x', '\\u', '\\0', '\\1', '\\2', '\\3', '\\4', '\\5', '\\6', '\\7'],
  },
];

/** An attacker controls nesting, so rounds are few; three undo every encoding seen in the wild. */
export const maxRounds = 3;

export interface Unfolded {
  readonly text: string;
  readonly decoders: readonly string[];
}

/**
 * One round of decoding.
 * @param wanted which steps can apply, by index
 * @returns the new text, or undefined when nothing changed
 */
export function unfoldRound(text: string, wanted: (step: number) => boolean): Unfolded | undefined {
  let current = text;
  const decoders: string[] = [];
  for (const [index, step] of steps.entries()) {
    if (!wanted(index)) continue;
    const next = step.apply(current);
    if (next === current) continue;
    current = next;
    decoders.push(step.name);
  }
  return decoders.length > 0 && current !== text ? { text: current, decoders } : undefined;
}
