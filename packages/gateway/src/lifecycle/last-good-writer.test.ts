import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { site, snapshot } from '../testing/index.ts';
import { LastGoodWriter } from './last-good-writer.ts';

describe('the file of the last good configuration', () => {
  let folder: string;
  let file: string;
  let writer: LastGoodWriter;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'last-good-'));
    file = path.join(folder, 'last-good.json');
    writer = new LastGoodWriter(file);
  });
  afterEach(async () => {
    await writer.close();
    rmSync(folder, { recursive: true });
  });

  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) =>
      site({ id: `s${from + index}`, name: `Grüße ${from + index}` }),
    );
  const saved = async (version: number, sites: ReturnType<typeof many>) => {
    const whole = { ...snapshot({ version }), sites };
    await writer.save(whole);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(whole)));
  };

  test('holds what was saved, whatever changed, came, went or moved since the save before', async () => {
    const sites = many(0, 45);
    await saved(1, sites);
    await saved(2, sites);
    await saved(3, sites.with(0, site({ id: 's0', name: 'ẞ' })).with(44, site({ id: 's44', name: 'z' })));
    await saved(1000, [...many(100, 130), ...sites.slice(20), ...many(200, 201), ...sites.slice(0, 10)]);
    await saved(5, sites.toReversed());
    await saved(6, []);
    await saved(7, sites);
  });

  test('holds address lists, each address with its end', async () => {
    const temporary = [{ entry: '192.0.2.7', expires_at: '2026-11-24T12:00:00.000Z' }];
    const entries = Array.from({ length: 25_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
    const list = { name: 'L', action: 'block' as const };
    const whole = snapshot({
      version: 1,
      addressLists: [
        { ...list, id: 'l1', temporary },
        { ...list, id: 'l2', entries },
      ],
    });
    await writer.save(whole);
    expect(JSON.parse(readFileSync(file, 'utf8')).addressLists).toEqual(whole.addressLists);
  });

  test('takes what did not change from the file before, not from the sites', async () => {
    const sites = many(0, 3);
    await saved(1, sites);
    // Nobody changes a site that is in force; here it shows where its text comes from.
    Object.assign(sites[1] as object, { name: 'another' });
    await writer.save({ ...snapshot({ version: 2 }), sites });
    expect(JSON.parse(readFileSync(file, 'utf8')).sites[1].name).toBe('Grüße 1');
  });

  test('takes nothing from a file that somebody wrote into', async () => {
    const sites = many(0, 3);
    await saved(1, sites);
    writeFileSync(file, 'something else');
    await saved(2, sites);
    appendFileSync(file, ' ');
    await saved(3, sites);
  });

  test('what another gateway put in its place is none of its business', async () => {
    const sites = many(0, 30);
    await saved(1, sites);
    const other = new LastGoodWriter(file);
    await other.save(snapshot({ version: 2 }));
    await other.close();
    await saved(3, sites);
  });
});
