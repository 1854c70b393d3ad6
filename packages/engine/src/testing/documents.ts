import { expect, test } from 'vitest';
import { compilePolicy, inspect } from '../inspect/index.ts';
import type { InspectedRequest } from '../parse/index.ts';
import type { InspectedCategory } from '../vocabulary.ts';
import { choices, encodeLatin1, post } from './requests.ts';

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });

type Carriers = Readonly<Record<string, (text: string) => InspectedRequest>>;

/** The ways in which people and programs send texts and documents, with a field of that name. */
const bodies: Carriers = {
  form: (text) => post('application/x-www-form-urlencoded', `a=1&comment=${encodeLatin1(bytes(text))}`),
  json: (text) => post('application/json', bytes(JSON.stringify({ items: [{ text }] }))),
};

/** The same with a field that nobody writes texts in. */
const fields: Carriers = {
  form: (text) => post('application/x-www-form-urlencoded', `a=1&host=${encodeLatin1(bytes(text))}`),
  json: (text) => post('application/json', bytes(JSON.stringify({ target: { host: text } }))),
};

/** Each text, in a form and in JSON at medium sensitivity, passes: it is code or talk, and continues nothing. */
export function passesInBodies(texts: readonly string[]): void {
  for (const [name, send] of Object.entries(bodies)) {
    test.each(texts)(`passes %s in ${name}`, (text) => {
      const { decision, matches } = inspect(policy, send(text));
      expect(matches.filter(({ score }) => score >= 5)).toEqual([]);
      expect(decision).toBe('pass');
    });
  }
}

/** Each payload, in a form and in JSON at medium sensitivity, is blocked for that category. */
export function blocksInBodies(category: InspectedCategory, payloads: readonly string[]): void {
  blocksIn(bodies, category, payloads);
}

/** The same in a field that nobody writes texts in, where a command or a query lands. */
export function blocksInArguments(category: InspectedCategory, payloads: readonly string[]): void {
  blocksIn(fields, category, payloads);
}

function blocksIn(carriers: Carriers, category: InspectedCategory, payloads: readonly string[]): void {
  for (const [name, send] of Object.entries(carriers)) {
    test.each(payloads)(`blocks %s in ${name}`, (payload) => {
      const { decision, matches } = inspect(policy, send(payload));
      expect(decision).toBe('block');
      expect(matches.map((match) => match.category)).toContain(category);
    });
  }
}

function bytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}
