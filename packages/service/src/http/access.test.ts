import type { Access } from '@portcullis/contract/api';
import { describe, expect, it } from 'vitest';
import { type Actor, type Authentication, refusal } from './access.ts';

const person: Actor = {
  userId: 'u',
  email: 'u@example.com',
  role: 'viewer',
  permissions: ['site:view'],
  sessionId: 's',
};
const { sessionId: _, ...token } = person;
const as = (actor: Actor): Authentication => ({ status: 'signed-in', actor });
const mayView: Access = { anyOf: ['site:view'] };

describe('the access policy', () => {
  it.each([
    ['anyone', 'public', { status: 'absent' }, undefined],
    ['a stranger', 'signed-in', { status: 'absent' }, 'not_signed_in'],
    ['an ended session', 'signed-in', { status: 'ended' }, 'session_expired'],
    ['an ended session', mayView, { status: 'ended' }, 'session_expired'],
    ['a person', 'session', as(person), undefined],
    ['an API token', 'session', as(token), 'forbidden'],
    ['an API token', 'signed-in', as(token), undefined],
    ['an API token', mayView, as(token), undefined],
    ['who lacks it', { anyOf: ['site:update'] }, as(person), 'forbidden'],
    ['anybody on an empty list', { anyOf: [] }, as(person), 'forbidden'],
    ['who must set up 2FA', mayView, as({ ...person, mustSetUpTotp: true }), 'totp_setup_required'],
    ['who must set up 2FA', 'session', as({ ...person, mustSetUpTotp: true }), undefined],
  ] as [string, Access, Authentication, string | undefined][])(
    'tells %s on %o: %o %s',
    (_who, access, authentication, code) => {
      expect(refusal(access, authentication)).toBe(code);
    },
  );
});
