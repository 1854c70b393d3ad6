import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../inspect/index.ts';
import { choices, post } from '../testing/requests.ts';
import { readGraphql } from './index.ts';

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });
const decide = (query: string) =>
  inspect(policy, post('application/json', JSON.stringify({ query, variables: {} }))).decision;

describe('GraphQL', () => {
  test('reads a block of three quotes as it stands, with quotes of its own', () => {
    expect(readGraphql('{ a(b: """say "hi" \\""" \\n""") }')?.strings).toEqual(['say "hi" """ \\n']);
    expect(decide('{ a(b: """It is "fine" so""") { id } }')).toBe('pass');
    expect(decide(`{ a(b: """"x' or 1=1-- """) { id } }`)).toBe('block');
  });

  test('gives the strings of a document and what stands around them', () => {
    expect(
      readGraphql('query Q($a: ID = "1") { user(name: "O\\"B", tags: ["a", "b"]) { id } } # end'),
    ).toEqual({
      strings: ['1', 'O"B', 'a', 'b'],
      frame: 'query Q($a: ID = "1") { user(name: "", tags: ["", ""]) { id } } # end'.replace('"1"', '""'),
    });
  });

  test.each([
    'query { user(name: "1 or 1=1") { id } }',
    `{ user(name: "admin'--") { id } }`,
    'mutation { save(file: "../../../etc/passwd") { id } }',
    'mutation M { run(cmd: "; cat /etc/passwd") }',
    'query { u(f: "{\\"$where\\":\\"sleep(100)\\"}") { id } }',
    // no documents, though they begin like one
    '{ a " or ""=" }',
    '{ a: " or ""=" }',
    `query' union select 1,2 from users--{}`,
  ])('%s is blocked', (query) => {
    expect(decide(query)).toBe('block');
  });

  test.each([
    `query { products(filter: {title_contains: "O'Brien"}, order_by: {id: asc}, limit: 5) { id } }`,
    'query { search(q: "order by 2 desc") { id } other(q: "&&") { id } }',
    'query { a(name: "||") { id } b(name: "/*") { id } }',
    'query GetUser($id: ID!) { user(id: $id) { ... on User { id name __typename } } }',
  ])('%s passes', (query) => {
    expect(decide(query)).toBe('pass');
  });
});
