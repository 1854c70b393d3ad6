import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createJsonReader } from './large-json.ts';

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const sites = Array.from({ length: 6000 }, (_, index) => ({
  id: `s${index}`,
  domains: [`s${index}.example.com`, 'ä'],
  rules: index === 7 ? Array.from({ length: 40 }, (_unused, rule) => ({ id: rule })) : [],
}));

/** In pieces, as it comes off a socket. */
function read(bytes: Buffer, reader = createJsonReader()): Promise<unknown> {
  const text = reader.begin();
  for (let at = 0; at < bytes.length; at += 50_000) text.add(bytes.subarray(at, at + 50_000));
  return text.end();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe('JSON off the link', () => {
  it('is the same whether it is read here or, a large one, in a thread', async () => {
    const entries = Array.from({ length: 20_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const large = {
      type: 'snapshot',
      snapshot: { version: 3, sites, addressLists: [{ id: 'a', entries }], empty: [] },
    };
    expect(await read(bytesOf(large))).toEqual(large);
    expect(await read(bytesOf({ version: 3, sites: [] }))).toEqual({ version: 3, sites: [] });
    expect(await read(bytesOf(sites))).toEqual(sites);
    const packed = zstdCompressSync(bytesOf(large));
    expect(await createJsonReader().unpack(packed, 1e9)).toEqual(large);
    expect(await createJsonReader().unpack(packed, 1000)).toBeUndefined();
  });

  it('hands over as the same objects what did not change since the text before', async () => {
    const reader = createJsonReader();
    const first = (await read(bytesOf(sites), reader)) as object[];
    const changed = sites.toSpliced(1500, 2, { id: 'new', domains: [], rules: [] });
    const second = (await read(bytesOf(changed), reader)) as object[];
    expect(second).toEqual(changed);
    const kept = new Set(first);
    expect(second.filter((site) => !kept.has(site))).toEqual([{ id: 'new', domains: [], rules: [] }]);
  });

  it('is what JSON.parse makes of it, whatever stands in and around long lists', async () => {
    const filler = `"filler": "${'x'.repeat(300_000)}"`;
    const list = (element: string) => `[${Array.from({ length: 20 }, () => element).join(' ,\n')}]`;
    const elements = [
      '{"a": "]},{[\\"", "\\\\": [1, 2]}',
      `{"inner": ${list('{"b": "ä"}')}}`,
      `${list('[]')}`,
      ' null',
      '-1.5e3',
      '"\\u005d"',
    ];
    const broken = ['{"a": 1', '{"a" 1}', '{"a": [}', '{]', '"', '{}}', '{} {}', '', '{"a": 01}', "'a'"];
    const around = [
      (element: string) =>
        `{${filler}, "list": ${list('{}')}, "list": ${list(element)}, "__proto__": {"list": ${list(element)}}}`,
      (element: string) => `[${list('{"last": 1}').replace(/\{"last": 1\}\]$/, `${element}]`)}, {${filler}}]`,
    ];
    const texts = [
      ...[...elements, ...broken].map((element, index) => around[index % around.length]?.(element) ?? ''),
      `{${filler}, "list": ${list('{}').slice(0, -1)}`,
      `{${filler}, "list": ${list('{}').replace(/\]$/, ',]')}}`,
      `{${filler}, "list": ${list('""').replace(/\]$/, ',]')}}`,
    ];
    const reader = createJsonReader();
    for (const text of texts)
      expect(await read(Buffer.from(text), reader), text.slice(-99)).toEqual(parsed(text));
  });

  it('is nothing where it is no JSON', async () => {
    expect(await read(Buffer.from('{"type": '))).toBeUndefined();
    expect(await read(Buffer.from(`{"type": "${'x'.repeat(300_000)}`))).toBeUndefined();
    expect(await createJsonReader().unpack(Buffer.from('no zstd'), 1e9)).toBeUndefined();
  });
});
