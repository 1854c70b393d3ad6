import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import type { Endpoint } from '@portcullis/contract/api';
import { endpoints } from '@portcullis/contract/api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { earlyAnswer } from './early.ts';

const script = readFileSync(path.resolve(import.meta.dirname, '../../../public/before-bundle.js'), 'utf8');

type Early = NonNullable<typeof globalThis.earlyCalls>;

/** Runs the script as a page at this path does. @returns what it left for the bundle, and with which token it asked */
function open(pathname: string, stored: Record<string, string>) {
  const asked: string[] = [];
  const page: { earlyCalls?: Early } & Record<string, unknown> = {
    document: { documentElement: { dataset: {} } },
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    matchMedia: () => ({ matches: true }),
    location: { pathname },
    fetch: async (url: string, init: { headers: Record<string, string> }) => {
      asked.push(init.headers['authorization'] ?? '');
      return Response.json({ url });
    },
  };
  runInNewContext(script, page);
  return { early: page.earlyCalls, asked };
}

/** milliseconds since the page was opened; the clock of this process may be at any time */
let openedMs = 0;

beforeEach(() => {
  openedMs = 500;
  vi.spyOn(performance, 'now').mockImplementation(() => openedMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  globalThis.earlyCalls = undefined;
});

const gets = new Set(
  Object.values(endpoints)
    .flatMap((byName): Endpoint[] => Object.values(byName))
    .filter(({ method }) => method === 'GET')
    .map((endpoint) => `/api${endpoint.path}`),
);

it('asks for what the first screen needs, by calls of the contract, as who is signed in', () => {
  const { early, asked } = open('/', { token: 'abc' });
  const addresses = [...(early?.answers.keys() ?? [])];
  expect(addresses).toHaveLength(5);
  expect(addresses.filter((address) => !gets.has(address))).toEqual([]);
  expect(asked).toEqual(Array(5).fill('Bearer abc'));
});

it('asks on another screen for the account alone, and for nothing when nobody is signed in', () => {
  expect([...(open('/logs', { token: 'abc' }).early?.answers.keys() ?? [])]).toEqual([
    '/api/auth/me',
    '/api/users/preferences',
  ]);
  expect(open('/', {})).toEqual({ early: undefined, asked: [] });
});

it('hands an answer out once', async () => {
  globalThis.earlyCalls = open('/', { token: 'abc' }).early;
  expect((await earlyAnswer('/api/metrics', 'abc'))?.text).toBe('{"url":"/api/metrics"}');
  expect(await earlyAnswer('/api/metrics', 'abc')).toBeUndefined();
});

it('hands out nothing that is old', async () => {
  globalThis.earlyCalls = open('/', { token: 'abc' }).early;
  openedMs = 10_001;
  expect(await earlyAnswer('/api/metrics', 'abc')).toBeUndefined();
});

it('hands no answer to another session', async () => {
  globalThis.earlyCalls = open('/', { token: 'abc' }).early;
  expect(await earlyAnswer('/api/metrics', 'def')).toBeUndefined();
});

it('leaves a call that failed to be made again', async () => {
  const failed = Promise.reject(new Error('no service'));
  globalThis.earlyCalls = { token: 'abc', answers: new Map([['/api/metrics', failed]]) };
  expect(await earlyAnswer('/api/metrics', 'abc')).toBeUndefined();
});
