import { expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../index.ts';
import { query } from '../../testing/requests.ts';

const policy = policyOf('medium', ['sql_injection']);
const decides = (value: string) => inspect(policy, query(value)).decision;

test.each([
  "-1'<>'zz",
  "apple'*'1",
  "apple'>='",
  '1;--',
  '1.0 -- -',
  '1)/*!00000*/#',
  '1 or null isnull',
  'desc,null/**/notnull',
  '1 and 2 notnull',
  "x'--sleep(15e-2)-'",
  "json('{')",
  "1 glob (json( '{' ))",
  "id,'a' like 'a' escape 'xx'",
  '1) = (7=7)--',
  '1/**/in/**/(2=2)#',
  "' <> ((1,4)=(1,4))--",
  '1 or (1,3)=(1,3)',
  '1 or name is not null',
  '1) or hidden--',
  'iif(true,1,2)',
  "iif(unicode('a')=97,1,99)",
  "1) or (1::bool)::int=1 or '1'::boolean",
])('blocks %s', (value) => {
  expect(decides(value)).toBe('block');
});

test.each([
  "rock'n'roll",
  "5'*4'",
  "it's <b> 'bold'",
  '1 -- or 2',
  'page 3 --',
  'item #4',
  '-- signed --',
  'the column is not null',
  'is not null',
  '@NotNull field 3',
  'x.isNull(1) or null',
  'the comment (--) of SQL',
  "JSON('{}')",
  "json('[1, 2]')",
  'like (see below)',
  '2 in (one) basket',
  '(1) first and (2) second',
  '1) or maybe not',
  'if(a, b, c)',
  'Ada: 1::2',
  'fe80::1:bool',
  'the \'and\' operator is like "or"',
  "the 'or' keyword",
])('leaves %s', (value) => {
  expect(decides(value)).toBe('pass');
});
