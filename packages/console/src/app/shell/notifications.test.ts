import type { AuditEntry } from '@portcullis/contract/events';
import { expect, it } from 'vitest';
import { titleOf } from './notifications.ts';

const entry = (over: Partial<AuditEntry>): AuditEntry => ({
  ...{
    id: 'e',
    timestamp: '2026-11-22T09:00:00Z',
    level: 'warning',
    action: 'auth.login_failed',
    message: 'm',
  },
  ...over,
});

it('calls a notification by its site, its threat, or what its action is about, never by a code of our own', () => {
  expect(titleOf(entry({ siteName: 'Shop', threat: 'xss' }))).toBe('Shop');
  expect(titleOf(entry({ threat: 'xss' }))).toBe('xss');
  expect(titleOf(entry({}))).toBe('Sign-in and accounts');
  expect(titleOf(entry({ action: 'blocked' }))).toBe('blocked');
});
