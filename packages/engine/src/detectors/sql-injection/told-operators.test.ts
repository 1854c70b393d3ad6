import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { endsWithin } from '../../testing/growth.ts';
import { blocks, passes } from '../../testing/payloads.ts';
import { choices, post } from '../../testing/requests.ts';

describe('sql_injection, sentences about an operator', () => {
  passes(['the \'and\' operator is like "or"', "expected a value after '='"]);
  // a sentence in the comment behind a condition excuses no condition
  blocks('sql_injection', [
    "1 or 1=1-- 'or' operator",
    "1 or 1=1# 'or' word",
    "1 and ascii(substring(password,1,1))>64-- 'or' word",
    "0 or id>0 -- 'like' keyword",
    "(1)or(1)=(1)-- 'or' word",
    "1||1=1-- 'or' words in use",
    "1 or 1=1-- ab cd 'or'",
    "1 and (ascii(substring(password,1,1))>64)/* ab cd 'or'",
  ]);
});

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('high', ['sql_injection']) });

test.each(['\xa0', 'a\xa0', 'ab ', 'ab\xa0cd '])('many of %j are read once', (unit) => {
  const form = `q=${encodeURIComponent(`1 or ${unit.repeat(8000)}!`)}`;
  expect(endsWithin(3000, () => void inspect(policy, post('application/x-www-form-urlencoded', form)))).toBe(
    true,
  );
});

test.each([
  (index: number) => `${'\u00a0'.repeat(90)}${index}'--`,
  (index: number) => `${index} or 1=1 ${'-- '.repeat(60)}x`,
  (index: number) => `${index}' or 'a'='a ${'--'.repeat(90)} ${' \n'.repeat(9)}x`,
])('a list of values that end like quotations or comments is read once: %#', (value) => {
  const list = JSON.stringify(Array.from({ length: 600 }, (_unused, index) => value(index)));
  expect(endsWithin(1000, () => void inspect(policy, post('application/json', list)))).toBe(true);
});
