import { expect, it } from 'vitest';
import type { z } from 'zod';
import { PreferencesUpdate, UserCreate } from '../users/index.ts';
import { LoginRequest, TotpEnableRequest, TotpVerifyRequest } from './schemas.ts';

const wordsOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

it('says of what a form needs that it is required, whether it is blank or left out', () => {
  const required = [
    ['email', 'Email is required'],
    ['password', 'Password is required'],
  ];
  for (const schema of [LoginRequest, UserCreate]) {
    expect(wordsOf(schema, {})).toEqual(required);
    expect(wordsOf(schema, { email: '', password: '' })).toEqual(required);
  }
  expect(wordsOf(UserCreate, { email: 'ada', password: 'x' })).toEqual([['email', 'Email is invalid']]);
  expect(wordsOf(TotpEnableRequest, {})).toEqual([['password', 'Please enter your password']]);
  expect(wordsOf(TotpVerifyRequest, {})).toEqual([['code', 'Please enter a 6-digit code']]);
});

it('takes a sign-in whose field for the code is still blank for its first step', () => {
  const step = { email: 'ada@example.com', password: 'x' };
  for (const totpCode of [undefined, null, '', '123456', 'abcde-fghij']) {
    expect([totpCode, wordsOf(LoginRequest, { ...step, totpCode })]).toEqual([totpCode, []]);
  }
  expect(wordsOf(LoginRequest, { ...step, totpCode: '12345' })).toEqual([
    ['totpCode', 'Please enter a 6-digit code'],
  ]);
});

it('takes a theme that follows the system by either word', () => {
  expect(PreferencesUpdate.parse({ theme: 'system' })).toEqual({ theme: 'auto' });
  expect(PreferencesUpdate.parse({ theme: 'auto' })).toEqual({ theme: 'auto' });
});
