import { type Endpoint, endpoints } from '@portcullis/contract/api';
import { describe, expect, it } from 'vitest';
import { exampleOf } from './examples.ts';

const calls = Object.entries(endpoints).flatMap(([noun, byName]) =>
  Object.entries(byName as Record<string, Endpoint>).map(([name, call]) => ({ id: `${noun}.${name}`, call })),
);

describe('the example of a call', () => {
  const sent = calls.flatMap(({ id, call }) => (call.body ? [{ id, schema: call.body }] : []));
  const answered = calls.flatMap(({ id, call }) => (call.response ? [{ id, schema: call.response }] : []));

  it.each(sent)('$id is a body that the service takes', ({ schema }) => {
    expect(schema.safeParse(exampleOf(schema, 'input')).error?.issues).toBeUndefined();
  });

  it.each(answered)('$id is an answer that its schema names', ({ schema }) => {
    const example = exampleOf(schema, 'output');
    const parsed = schema.safeParse(example);
    expect(parsed.error?.issues).toBeUndefined();
    expect(parsed.data).toEqual(example);
  });

  it('is there for every body', () => {
    expect(sent.length + answered.length).toBeGreaterThan(90);
  });
});
