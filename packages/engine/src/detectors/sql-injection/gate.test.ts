import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { blocks, passes } from '../../testing/payloads.ts';
import { choices, query } from '../../testing/requests.ts';

const values = ['1', '.1', '-1', '1)', '(1', '\\N', 'null', 'true', '1e0', '0x1', 'a', '1/**/'];
const signs = [
  ...['-', '+', '*', '/', '%', '^', '&', '|', '=', '>', '<', '!=', '<>', '<=>', '||', '&&', ','],
  ...[
    ' or ',
    ' in ',
    ' like ',
    ' div ',
    ' is ',
    ' sounds like ',
    ' regexp ',
    ' not in ',
    ' between ',
    ' limit ',
  ],
];
const operands = [
  ...['ascii(mid(version(),1,1))', 'length(user())', 'max(5)', '(ascii(1))', '~ascii(1)', 'ascii (1)'],
  ...['(1)', '(2=2)', '-(1)', 'foo(3)', 'round(3)', 'user', '@@version', '1=1', 'name', '2 and 3', "'a'"],
];
const ends = ['-- ', '#', '--', ';#', '/*', ''];

describe('the gate of conditions', () => {
  const input = { securityLevel: 'medium', categories: choices('high', ['sql_injection']) } as const;
  const gated = compilePolicy(input);
  const naive = compilePolicy(input, { gated: false });

  test('opens for every shape of a value, a sign, an operand and an end that is found without it', () => {
    const texts = values.flatMap((value) =>
      signs.flatMap((sign) =>
        operands.flatMap((operand) => ends.map((end) => `${value}${sign}${operand}${end}`)),
      ),
    );
    // Seven shares no factor with the length of a list, so that every pair of pieces is met.
    const sample = texts.filter((_text, index) => index % 7 === 0);
    const differing = sample.filter(
      (text) => inspect(gated, query(text)).decision !== inspect(naive, query(text)).decision,
    );
    expect(sample.length).toBeGreaterThan(4000);
    expect(differing).toEqual([]);
  });
});

describe('sql_injection, functions behind a number and a sign', () => {
  blocks('sql_injection', [
    '1-ascii(mid(version(),1,1))-- ',
    '1^ascii(substr(database(),1,1))-- ',
    '2%length(database())-- ',
    '1>ascii(user())#',
    '1=length(user())--',
    '.1-max(5)--',
    '1-(ascii(1))#',
  ]);
  passes(['10 - round(3) #', '1 or 2 (either way) --', '6 or more (min 2) #', '3 in one --', '2 * foo(3) #']);
});
