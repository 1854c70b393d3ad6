import { describe, expect, it } from 'vitest';
import { draftOf, userProblems, valuesOf } from './user-values.ts';

const good = { ...valuesOf(undefined), email: 'ada@example.com', password: 'Abcdef1!', confirm: 'Abcdef1!' };

const rest = { permissions: [], totp_enabled: false };

describe('the user form', () => {
  it('starts a new user with the least role', () => {
    expect(valuesOf(undefined)).toMatchObject({ email: '', role: 'viewer', password: '' });
  });

  it('asks a new user for email and password', () => {
    expect(userProblems(valuesOf(undefined), true)).toEqual({
      email: 'Email is required',
      password: 'Password is required',
    });
    expect(userProblems(good, true)).toEqual({});
  });

  it('keeps the password of a user who exists when it is left blank', () => {
    expect(userProblems({ ...good, password: '', confirm: '' }, false)).toEqual({});
  });

  it('sends of a user who exists only what was changed', () => {
    const user = { ...{ id: 'u', email: 'ada@example.com', role: 'viewer', disabled: true }, ...rest };
    const found = valuesOf(user);
    expect(draftOf(found, user)).toEqual({});
    expect(draftOf({ ...found, role: 'operator' }, user)).toEqual({ role: 'operator' });
    expect(draftOf({ ...found, allowed: true }, user)).toEqual({ disabled: false });
    expect(draftOf(good, undefined)).toEqual({
      email: 'ada@example.com',
      role: 'viewer',
      password: 'Abcdef1!',
    });
  });

  it('names every wrong field at once', () => {
    expect(userProblems({ ...good, email: 'nobody', password: 'short', confirm: 'other' }, false)).toEqual({
      email: 'Email is invalid',
      password: 'Password must be at least 8 characters',
      confirm: 'Passwords do not match',
    });
  });

  it('follows the stored minimum length', () => {
    expect(userProblems(good, true, 12)).toEqual({ password: 'Password must be at least 12 characters' });
  });
});
