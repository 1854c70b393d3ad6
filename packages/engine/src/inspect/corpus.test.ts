import { describe, expect, test } from 'vitest';
import { corpusFile, readCorpus, toRequest } from '../../../../benchmarks/traffic/corpus.ts';
import { policyOf } from '../../../../benchmarks/traffic/policies.ts';
import { ftwDir, readFtwCorpus } from '../testing/ftw-corpus.ts';
import { compilePolicy, inspect } from './index.ts';

const samples = readCorpus();

describe.skipIf(!samples)(`recorded traffic (skipped where ${corpusFile} is not there)`, () => {
  test.each([
    { sensitivity: 'low', found: 0.8, blamed: 0.0001 },
    { sensitivity: 'medium', found: 0.92, blamed: 0.0005 },
    { sensitivity: 'high', found: 0.95, blamed: 0.003 },
  ] as const)(
    '$sensitivity finds at least $found of all attacks and blocks at most $blamed of what is benign',
    ({ sensitivity, found, blamed }) => {
      const policy = policyOf(sensitivity);
      const count = { attack: 0, attackBlocked: 0, benign: 0, benignBlocked: 0 };
      for (const { label, raw } of samples ?? []) {
        count[label] += 1;
        if (inspect(policy, toRequest(raw)).decision === 'block') count[`${label}Blocked`] += 1;
      }
      expect(count.attack).toBeGreaterThan(100);
      expect(count.benign).toBeGreaterThan(10_000);
      expect(count.attackBlocked / count.attack).toBeGreaterThanOrEqual(found);
      expect(count.benignBlocked / count.benign).toBeLessThanOrEqual(blamed);
    },
    120_000,
  );

  test('no benign request takes 20 ms: a pattern that tries many ways at every place still grows linearly', () => {
    const policy = policyOf('medium');
    const limit = 20;
    const cost = (raw: string): number => {
      const request = toRequest(raw);
      const before = process.threadCpuUsage();
      inspect(policy, request);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1000;
    };
    const dear = (samples ?? []).filter(
      ({ label, raw }) => label === 'benign' && cost(raw) > limit && cost(raw) > limit && cost(raw) > limit,
    );
    expect(dear.map(({ raw }) => raw.slice(0, 80))).toEqual([]);
  }, 120_000);

  test('gates change no verdict', () => {
    const input = {
      securityLevel: 'high',
      categories: Object.fromEntries(
        policyOf('high')
          .chosen.entries()
          .map(([category]) => [category, { enabled: true, mode: 'block', sensitivity: 'high' }] as const),
      ),
    } as const;
    const gated = compilePolicy(input);
    const naive = compilePolicy(input, { gated: false });
    // Every attack, and of the benign every tenth that is not huge: without gates a request takes a hundred times longer.
    const chosen = (samples ?? []).filter(
      ({ label, raw }, index) => label === 'attack' || (index % 10 === 0 && raw.length < 8000),
    );
    expect(chosen.length).toBeGreaterThan(800);
    for (const { raw } of chosen)
      expect(inspect(gated, toRequest(raw))).toEqual(inspect(naive, toRequest(raw)));
  }, 120_000);
});

const tests = readFtwCorpus();

describe.skipIf(!tests)(`the tests of the Core Rule Set (skipped where ${ftwDir} is not there)`, () => {
  test('gates change no verdict on their requests', () => {
    const gated = policyOf('high');
    const naive = policyOf('high', undefined, { gated: false });
    const differing = (tests ?? []).filter(
      ({ request }) => JSON.stringify(inspect(gated, request)) !== JSON.stringify(inspect(naive, request)),
    );
    expect(differing.map(({ title }) => title)).toEqual([]);
    expect(tests).toHaveLength(2403);
  }, 240_000);
});
