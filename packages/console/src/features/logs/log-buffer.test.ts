import type { AuditEntry } from '@portcullis/contract/events';
import { describe, expect, it } from 'vitest';
import { addBatch, addStored, bufferLimit, emptyView, passes } from './log-buffer.ts';

const entry = (id: string, level = 'warning', more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  timestamp: '2026-03-01T12:00:00.000Z',
  level,
  action: 'blocked',
  message: `event ${id}`,
  ...more,
});
const many = (count: number, from = 0) => Array.from({ length: count }, (_, at) => entry(String(from + at)));
const ids = (entries: readonly AuditEntry[]) => entries.map(({ id }) => id);

describe('the live log', () => {
  it('shows the newest first and counts by level, a critical one among the errors', () => {
    const batch = [entry('1', 'info'), entry('2', 'error'), entry('3', 'critical'), entry('4', 'debug')];
    const view = addBatch(emptyView, batch);
    expect(ids(view.entries)).toEqual(['4', '3', '2', '1']);
    expect(view.counts).toEqual({ total: 4, error: 2, warning: 0, info: 1 });
  });

  it('keeps the newest 500 and goes on counting', () => {
    const view = addBatch(addBatch(emptyView, many(400)), many(300, 400));
    expect(view.entries).toHaveLength(bufferLimit);
    expect(view.entries[0]?.id).toBe('699');
    expect(view.entries.at(-1)?.id).toBe('200');
    expect(view.counts.total).toBe(700);
  });

  it('takes an entry once that a resumed stream repeats, and then does not render anew', () => {
    const view = addBatch(emptyView, many(3));
    expect(addBatch(view, many(3))).toBe(view);
    expect(addBatch(view, many(4)).counts.total).toBe(4);
  });

  it('puts what was stored below what came live, as far as there is room', () => {
    const live = addBatch(emptyView, many(499));
    const view = addStored(live, [entry('498'), entry('older'), entry('oldest')]);
    expect(view.entries.at(-1)?.id).toBe('older');
    expect(view.counts.total).toBe(500);
  });

  it('finds text in address, path and request id, whatever its case', () => {
    const found = entry('1', 'warning', { clientIP: '203.0.113.7', path: '/Login', requestId: 'AbC' });
    for (const text of ['203.0.113', '/login', 'abc']) expect(passes(found, { text, levels: [] })).toBe(true);
    expect(passes(found, { text: 'nowhere', levels: [] })).toBe(false);
    expect(passes(found, { text: '', levels: ['error'] })).toBe(false);
  });

  it('finds an action by its code and by the words for it', () => {
    const found = entry('1', 'warning', { action: 'auth.totp_disabled' });
    for (const text of ['auth.totp', '2fa dis']) expect(passes(found, { text, levels: [] })).toBe(true);
  });
});
