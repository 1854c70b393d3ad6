import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FtwCase } from '../testing/ftw.ts';
import { ftwDir, readFtwCorpus } from '../testing/ftw-corpus.ts';
import misses from './crs-corpus.misses.json' with { type: 'json' };
import { createKeptCollections, inspectSeclang, loadSeclang, type SeclangRules } from './index.ts';

const rulesDir = '/usr/share/modsecurity-crs/rules';
const setupFile = '/etc/modsecurity/crs/crs-setup.conf';
const missing = [rulesDir, setupFile, ftwDir].filter((needed) => !existsSync(needed));

/** The configuration that the Core Rule Set's own tests ask for: paranoia 4, and every limit on. */
const testSetup = `SecAction "id:900005,phase:1,nolog,pass,ctl:ruleEngine=DetectionOnly,\\
  ctl:ruleRemoveById=910000,setvar:tx.paranoia_level=4,setvar:tx.crs_validate_utf8_encoding=1,\\
  setvar:tx.arg_name_length=100,setvar:tx.arg_length=400,setvar:tx.total_arg_length=64000,\\
  setvar:tx.max_num_args=255,setvar:tx.max_file_size=64100,setvar:tx.combined_file_sizes=65535"`;

function loadCrs(setup: string) {
  const files = new Map([
    ['crs-setup.conf', readFileSync(setupFile, 'latin1')],
    ['test-setup.conf', setup],
  ]);
  for (const name of readdirSync(rulesDir)) {
    files.set(name, readFileSync(path.join(rulesDir, name), 'latin1'));
  }
  const rules = [...files.keys()].filter((name) => /^RE(?:QUEST|SPONSE)-.*\.conf$/.test(name)).sort();
  return loadSeclang(files, { entries: ['crs-setup.conf', 'test-setup.conf', ...rules] });
}

const title = `CRS 3.3.4 and its own tests${missing.map((it) => ` (no ${it})`)}`;

// 2403 requests against 635 rules take seconds, and on a busy machine many.
describe.skipIf(missing.length > 0)(title, { timeout: 240_000 }, () => {
  let rules: SeclangRules;
  let cases: FtwCase[];
  beforeAll(() => {
    rules = loadCrs(testSetup);
    cases = readFtwCorpus() ?? [];
  });

  it('loads every directive, and says which operators and variables have nobody to ask', () => {
    expect(rules.issues.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'notice: @geolookup asks something outside the request, so it never matches here',
      'notice: GEO has no members here',
      'notice: @rbl asks something outside the request, so it never matches here',
    ]);
    expect(rules.counts).toMatchObject({ rules: 635 });
  });

  it('matches as the tests expect, but for the listed misses', () => {
    const wrong: string[] = [];
    let positive = 0;
    let negative = 0;
    for (const { title, request, present, absent } of cases) {
      const { matches } = inspectSeclang(rules, { request });
      const logged = new Set(matches.filter(({ log }) => log).map(({ id }) => id));
      positive += present.length;
      negative += absent.length;
      for (const id of present) if (!logged.has(id)) wrong.push(`${title}: ${id}`);
      for (const id of absent) if (logged.has(id)) wrong.push(`${title}: no ${id}`);
    }
    expect({ positive, negative }).toEqual({ positive: 2176, negative: 201 });
    expect(wrong.sort()).toEqual(misses.map(({ test, expects }) => `${test}: ${expects}`).sort());
  });

  it('matches the same rules whether or not the gate lets it skip some', () => {
    const { words } = rules.gate;
    const naive = { ...rules, gate: { words, bitsOf: () => allBits(words) } };
    const differing = cases.filter(({ request }) => {
      const gated = inspectSeclang(rules, { request }).matches;
      return JSON.stringify(gated) !== JSON.stringify(inspectSeclang(naive, { request }).matches);
    });
    expect(differing.map((one) => one.title)).toEqual([]);
    expect(cases).toHaveLength(2403);
  });
});

const dosSetup = `SecAction "id:900700,phase:1,nolog,pass,t:none,setvar:'tx.dos_burst_time_slice=60',\\
  setvar:'tx.dos_counter_threshold=10',setvar:'tx.dos_block_timeout=600'"`;

describe.skipIf(missing.length > 0)('CRS 3.3.4 against a flood', { timeout: 240_000 }, () => {
  it('drops a client after two bursts, serves the others, and lets it in again when its time is over', () => {
    const rules = loadCrs(dosSetup);
    const kept = createKeptCollections();
    let nowMs = Date.UTC(2026, 0, 1);
    const ask = (clientIp: string) => {
      const headers = [
        ['Host', 'shop.example.com'],
        ['User-Agent', 'Mozilla/5.0'],
        ['Accept', '*/*'],
      ] as const;
      const request = {
        method: 'GET',
        target: '/',
        httpVersion: '1.1',
        scheme: 'http',
        headers,
        clientIp,
      } as const;
      return inspectSeclang(rules, { request, context: { startedAtMs: nowMs, kept } }).intervention?.ruleId;
    };
    const flood = Array.from({ length: 30 }, () => ask('192.0.2.7'));
    // Ten requests are a burst, and two bursts a flood. 912120 says so once a minute, 912130 drops without a word.
    expect(flood).toEqual([...Array(20).fill(undefined), 912120, ...Array(9).fill(912130)]);
    expect(ask('192.0.2.8')).toBeUndefined();
    nowMs += 599_000;
    expect(ask('192.0.2.7')).toBe(912120);
    nowMs += 2_000;
    expect(ask('192.0.2.7')).toBeUndefined();
  });
});

function allBits(words: number): number[] {
  return new Array<number>(words).fill(-1);
}
