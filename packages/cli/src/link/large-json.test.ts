import { describe, expect, it } from 'vitest';
import { readJson } from './large-json.ts';

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const sites = Array.from({ length: 3000 }, (_, index) => ({
  id: `s${index}`,
  domains: [`s${index}.example.com`, 'ä'],
  rules: index === 7 ? Array.from({ length: 40 }, (_unused, rule) => ({ id: rule })) : [],
}));

describe('JSON off the link', () => {
  it('is the same whether it is read here or, a large one, in a thread', async () => {
    const entries = Array.from({ length: 20_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const large = {
      type: 'snapshot',
      snapshot: { version: 3, sites, addressLists: [{ id: 'a', entries }], empty: [] },
    };
    expect(await readJson(bytesOf(large))).toEqual(large);
    expect(await readJson(bytesOf({ version: 3, sites: [] }))).toEqual({ version: 3, sites: [] });
    expect(await readJson(bytesOf(sites))).toEqual(sites);
  });

  it('is nothing where it is no JSON', async () => {
    expect(await readJson(Buffer.from('{"type": '))).toBeUndefined();
    expect(await readJson(Buffer.from(`{"type": "${'x'.repeat(300_000)}`))).toBeUndefined();
  });
});
