import { describe, expect, it } from 'vitest';
import { ConfigSnapshot, linkMismatch, linkVersion, ownLink, readReport } from './index.ts';

const speaks = (version: number, from: number) => ({ linkVersion: version, linkCompatibleFrom: from });

describe('two ends of the link', () => {
  it.each([
    ['the same', speaks(5, 4), speaks(5, 4)],
    ['one version apart, with fields that may be missing', speaks(4, 4), speaks(5, 4)],
    ['one version apart, the other way round', speaks(6, 5), speaks(5, 4)],
  ])('work together: %s', (_, other, own) => {
    expect(linkMismatch(other, own)).toBeUndefined();
    expect(linkMismatch(own, other)).toBeUndefined();
  });

  it('do not where one needs a newer other, and say which end is to be brought up to date', () => {
    expect(linkMismatch(speaks(6, 6), speaks(5, 4))).toMatch(
      /needs 6 or newer .* here is 5: bring this end up to date/,
    );
    expect(linkMismatch(speaks(5, 4), speaks(6, 6))).toMatch(
      /too old for the 6 or newer .* bring it up to date/,
    );
  });

  it('refuse a snapshot that asks for more, with the version that it asks for', () => {
    const snapshot = { version: 1, createdAt: '', sites: [], linkVersion: linkVersion + 1 };
    expect(ConfigSnapshot.safeParse({ ...snapshot, linkCompatibleFrom: linkVersion }).success).toBe(true);
    expect(ConfigSnapshot.safeParse(snapshot).success).toBe(true);
    const refused = ConfigSnapshot.safeParse({ ...snapshot, linkCompatibleFrom: linkVersion + 1 });
    expect(refused.error?.issues[0]?.message).toContain(`needs version ${linkVersion + 1} of the link`);
    expect(ConfigSnapshot.safeParse({ ...snapshot, linkVersion: 0 }).error?.issues[0]?.message).toContain(
      'older',
    );
  });

  it('read of a report that is another one at least who sent it, and of nonsense nothing', () => {
    const told = { gatewayId: 'one', productVersion: '9.0.0', startedAt: '2026-01-01T00:00:00.000Z' };
    const next = speaks(linkVersion + 1, linkVersion + 1);
    expect(readReport({ ...told, ...next })).toMatchObject({ gatewayId: 'one', ...next, spoolBytes: 0 });
    expect(readReport({ ...told, ...ownLink })).toBeUndefined();
    expect(readReport('nonsense')).toBeUndefined();
  });
});
