import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longText, mayHoldCondition } from './condition-head.ts';
import { conditionStructures, sqlStructures } from './structures.ts';

const piece = fc.constantFrom(
  ...[
    "'",
    '"',
    '`',
    "\\'",
    '\\"',
    "''",
    ')',
    '(',
    ';',
    ',',
    '1',
    '0x1',
    '-1',
    '.5',
    'a',
    'name',
    'N',
    '{',
    ':',
    '=',
  ],
  ...[
    ' ',
    '+',
    '\n',
    '/**/',
    '/*',
    '/*!50000',
    '*/',
    '--',
    '-- ',
    '#',
    '||',
    '&&',
    '^',
    '*',
    '%',
    '<',
    '@v',
    '@@version',
  ],
  ...[
    'or',
    'and',
    'xor',
    'not',
    'like',
    'null',
    'order by',
    'group by',
    'having',
    'limit',
    'union',
    'into outfile',
  ],
  ...[
    'if(',
    'sleep(',
    'select',
    'case when',
    'div',
    'mod',
    'is',
    "'a'='a'",
    '1=1',
    "' or '1'='1",
    '"x":"y",',
    '://',
  ],
);
const filler = fc.constantFrom(
  'words of prose and more ',
  '{"a":"b","c":1},',
  'k=v&k2=v2;',
  'abcdefgh',
  "it's ",
  '1,2,',
);

test('a long text that is not read holds no condition', () => {
  let passedOver = 0;
  let held = 0;
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 14 }),
      fc.boolean(),
      filler,
      fc.nat({ max: 300 }),
      (pieces, spaced, more, before) => {
        const text = pieces
          .join(spaced ? ' ' : '')
          .padStart(pieces.length === 0 ? 0 : before % 2 === 0 ? 0 : before, more)
          .padEnd(longText, more);
        const found = sqlStructures(text, conditionStructures);
        if (found.length > 0) held += 1;
        if (mayHoldCondition(text)) return;
        passedOver += 1;
        expect(found).toEqual([]);
      },
    ),
    { numRuns: 6000 },
  );
  expect(passedOver).toBeGreaterThan(1000);
  expect(held).toBeGreaterThan(10);
});
