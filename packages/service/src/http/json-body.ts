import type { FastifyInstance } from 'fastify';
import { type Failure, malformed } from '../outcome.ts';

/** Nesting that no schema of ours comes near. */
const maxDepth = 32;

/** A body that is nothing we would read; thrown, since Fastify's parsers cannot answer themselves. */
export class BodyRefused extends Error {
  readonly failure: Failure;

  constructor(refused: string | Failure) {
    const said = typeof refused === 'string' ? malformed(refused) : refused;
    super(said.message ?? said.code);
    this.failure = said;
  }
}

const poisonous = new Set(['__proto__', 'constructor', 'prototype']);

/** PostgreSQL cannot store U+0000 in text, and nothing that a person types holds one. */
function refuseNul(text: string): void {
  if (text.includes('\u0000')) throw new BodyRefused('The request body has a NUL character');
}

/** @returns how many names all objects within hold */
function countNames(value: unknown, depth: number): number {
  if (typeof value === 'string') refuseNul(value);
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > maxDepth) throw new BodyRefused(`The request body is nested deeper than ${maxDepth} levels`);
  let names = 0;
  if (Array.isArray(value)) {
    // Not by its entries, for each would be an index as text: a list of two million numbers took a second.
    for (const inner of value as unknown[]) names += countNames(inner, depth + 1);
    return names;
  }
  for (const [key, inner] of Object.entries(value)) {
    refuseNul(key);
    if (poisonous.has(key)) throw new BodyRefused(`The request body has a forbidden name: ${key}`);
    names += countNames(inner, depth + 1) + 1;
  }
  return names;
}

const string = /"(?:[^"\\]|\\.)*"/g;

/** Outside of strings each colon stands after one name, so a name that was overwritten leaves one too many. */
function hasRepeatedName(text: string, names: number): boolean {
  return text.replace(string, '').split(':').length - 1 !== names;
}

/** Where a text stops being JSON. The parser's own words quote the text, which may hold a password. */
function placeOf(error: unknown): string {
  const at =
    error instanceof Error ? / at position \d+(?: \(line \d+ column \d+\))?/.exec(error.message) : null;
  return at?.[0] ?? '';
}

/** @returns the JSON value, or undefined for an empty body. @throws BodyRefused */
export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BodyRefused(`The request body is not valid JSON${placeOf(error)}`);
  }
  if (hasRepeatedName(text, countNames(value, 0))) {
    // Two readers of such a body may each take another value. RFC 8259 §4
    throw new BodyRefused('The request body has the same name twice in one object');
  }
  return value;
}

/** Reads bodies as JSON and nothing else; any other media type gets 415. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, parseJson(String(text)));
    } catch (error) {
      done(error as Error);
    }
  });
}
