import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { linesOf, type Schema } from '../testing/index.ts';
import {
  ConfigSnapshot,
  EventBatch,
  GatewayReport,
  linkCompatibleFrom,
  linkVersion,
  ServiceReport,
  Sighting,
} from './index.ts';

const messages = { ConfigSnapshot, EventBatch, GatewayReport, ServiceReport, Sighting };

const head = `What crosses the link in version ${linkVersion}, one line a field. Where a test says that this no longer fits:
- Was no product of this version released yet, record it anew: npx vitest run packages/contract/src/link -u
- Else raise linkVersion (contract/src/link/version.ts), and this version's record stays as it is. Was a field taken
  away, or must one be there that need not be before, or got a closed list a new word, or a bound narrower: raise
  linkCompatibleFrom to the new version too, and say so in the notes. Then record it as above.
`;

const recordOf = (version: number) => path.join(import.meta.dirname, 'shapes', `${version}.txt`);
const lines = Object.entries(messages).flatMap(([name, message]) => [
  ...linesOf(name, z.toJSONSchema(message, { io: 'input', unrepresentable: 'any' }) as Schema),
]);

/** Fields by their path, and whether each must be there. */
const fieldsOf = (text: string) =>
  new Map([...text.matchAll(/^(\S+) (must|may|each|or|is) /gm)].map(([, at = '', need]) => [at, need]));

/** @returns fields of the one before that are gone, and those that must be there and need not before */
function breaksBetween(before: string, after: string): string[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const gone = [...old.keys()].filter((field) => !now.has(field));
  const forced = [...now].filter(([field, need]) => need === 'must' && old.get(field) !== 'must');
  return [...gone, ...forced.map(([field]) => field)];
}

describe('the shape of what crosses the link', () => {
  it('changes with its version alone', async () => {
    expect(lines.length).toBeGreaterThan(200);
    await expect(`${head}\n${lines.join('\n')}\n`).toMatchFileSnapshot(recordOf(linkVersion));
  });

  it('needs the new version at both ends where what was there went away or must now be there', () => {
    expect(breaksBetween('A.b may {}\nA.c may {}', 'A.b must {}\nA.d may {}')).toEqual(['A.c', 'A.b']);
    const before = recordOf(linkVersion - 1);
    if (linkCompatibleFrom === linkVersion || !existsSync(before)) return;
    const breaks = breaksBetween(readFileSync(before, 'utf8'), lines.join('\n'));
    expect(breaks, 'raise linkCompatibleFrom too').toEqual([]);
  });
});
