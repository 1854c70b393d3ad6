import type { FastifyInstance } from 'fastify';
import { type Failure, failure } from '../outcome.ts';

/** Nesting that no schema of ours comes near. */
const maxDepth = 32;

/** A body that is no JSON object we would read; thrown, since Fastify's parsers cannot answer themselves. */
export class BodyRefused extends Error {
  readonly failure: Failure;

  constructor(message: string) {
    super(message);
    this.failure = failure('malformed_body', { message });
  }
}

const poisonous = new Set(['__proto__', 'constructor', 'prototype']);

function refusePoison(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) throw new BodyRefused(`The request body is nested deeper than ${maxDepth} levels`);
  for (const key of Object.keys(value)) {
    if (poisonous.has(key)) throw new BodyRefused(`The request body has a forbidden name: ${key}`);
    refusePoison((value as Record<string, unknown>)[key], depth + 1);
  }
}

/** @returns the JSON value, or undefined for an empty body. @throws BodyRefused */
export function parseJson(text: string): unknown {
  if (text === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable';
    throw new BodyRefused(`The request body is not valid JSON: ${reason.slice(0, 200)}`);
  }
  refusePoison(value, 0);
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
