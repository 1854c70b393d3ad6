import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { choices, post } from '../../testing/requests.ts';

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });
const json = (body: unknown) => inspect(policy, post('application/json', JSON.stringify(body)));
const times = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_unused, index) => piece(index)).join(' ');

describe('a GraphQL request that asks for too much', () => {
  test.each([
    ['aliases of one field', { query: `{ ${times(101, (at) => `a${at}: login(pin: "${at}") { ok }`)} }` }],
    ['levels', { query: `query { ${times(31, () => 'friend {')} id ${times(31, () => '}')} }` }],
    ['directives in a row', { query: `{ __typename ${times(10, (at) => `@d${at}`)} }` }],
    ['repetitions of a field', { query: `{ ${times(120, () => '__typename')} }` }],
    ['operations', Array.from({ length: 21 }, () => ({ query: '{ me { id } }' }))],
  ])('is stopped: %s', (words, body) => {
    const verdict = json(body);
    expect(verdict.decidedBy?.category).toBe('size_limit');
    expect(verdict.matches[0]?.value).toContain(words);
  });

  test('an ordinary dashboard, a batch of ten and introspection are not', () => {
    const dashboard = `{ ${times(40, (at) => `r${at}: repository(name: "r${at}") { id name @include(if: true) }`)} }`;
    const typeRef = `${times(9, () => 'ofType { kind name')} ${times(9, () => '}')}`;
    expect(json({ query: dashboard }).decision).toBe('pass');
    expect(json(Array.from({ length: 10 }, () => ({ query: '{ me { id } }' }))).decision).toBe('pass');
    expect(json({ query: `{ __schema { types { fields { type { ${typeRef} } } } } }` }).decision).toBe(
      'pass',
    );
  });

  test('prose in a field named query is no document', () => {
    expect(json({ query: times(200, () => 'buffalo') }).decision).toBe('pass');
  });
});
