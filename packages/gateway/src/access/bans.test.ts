import { describe, expect, it } from 'vitest';
import { BanBook } from './index.ts';

const policy = { banAfterBlocks: 3, banWindow: 60, banDuration: 900 };
const noon = Date.UTC(2026, 0, 1, 12);

describe('a book of bans', () => {
  it('bans at the last block of the count, for the stated time and no longer', () => {
    const book = new BanBook();
    expect(book.recordBlock('a', noon, policy)).toBeUndefined();
    expect(book.recordBlock('a', noon + 1000, policy)).toBeUndefined();
    expect(book.recordBlock('a', noon + 2000, policy)?.until).toBe(noon + 902_000);
    expect(book.bannedUntil('a', noon + 901_999)).toBe(noon + 902_000);
    expect(book.bannedUntil('a', noon + 902_000)).toBeUndefined();
    expect(book.bannedUntil('b', noon + 3000)).toBeUndefined();
  });

  it('forgives blocks that lie further apart than the window', () => {
    const book = new BanBook();
    for (const at of [0, 59_000, 60_000, 119_000]) {
      expect(book.recordBlock('a', noon + at, policy)).toBeUndefined();
    }
    expect(book.recordBlock('a', noon + 119_500, policy)).toBeDefined();
  });

  it('neither lengthens a ban by what comes during it nor begins the next one early', () => {
    const book = new BanBook();
    for (let block = 0; block < 3; block++) book.recordBlock('a', noon, policy);
    expect(book.recordBlock('a', noon + 1000, policy)).toBeUndefined();
    expect(book.bannedUntil('a', noon + 1000)).toBe(noon + 900_000);
    const after = noon + 900_000;
    expect(book.recordBlock('a', after, policy)).toBeUndefined();
    expect(book.recordBlock('a', after, policy)).toBeUndefined();
    expect(book.recordBlock('a', after, policy)).toBeDefined();
  });

  it('takes up a ban from elsewhere unless it has one, and ends by a lift the one that was meant', () => {
    const book = new BanBook();
    book.ban('a', noon, { id: 'other', until: noon + 500_000 });
    expect(book.bannedUntil('a', noon)).toBe(noon + 500_000);
    book.ban('a', noon, { id: 'later', until: noon + 900_000 });
    book.lift('a', 'later');
    expect(book.bannedUntil('a', noon)).toBe(noon + 500_000);
    book.lift('a', 'other');
    expect(book.bannedUntil('a', noon)).toBeUndefined();
    expect(book.recordBlock('a', noon, policy)).toBeUndefined();
    expect(book.recordBlock('a', noon, policy)).toBeUndefined();
    expect(book.recordBlock('a', noon, policy)).toBeDefined();
  });

  it('survives a clock that jumps back', () => {
    const book = new BanBook();
    book.recordBlock('a', noon, policy);
    book.recordBlock('a', noon - 3_600_000, policy);
    expect(book.recordBlock('a', noon - 3_600_000, policy)).toBeUndefined();
    expect(book.recordBlock('a', noon - 3_600_000, policy)).toBeDefined();
  });

  it('holds no more clients than its cap, whoever attacks', () => {
    const book = new BanBook(1000);
    for (let client = 0; client < 50_000; client++) book.recordBlock(String(client), noon, policy);
    expect(book.size).toBe(1000);
  });
});
