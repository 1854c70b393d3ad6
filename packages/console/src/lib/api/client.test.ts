// @vitest-environment happy-dom
import { endpoints } from '@portcullis/contract/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readToken, storeToken } from '../session/token.ts';
import { call } from './client.ts';

/** Has each call answered with a status. */
function answering(status: number): void {
  vi.stubGlobal('fetch', async () => new Response('{"error":"Refused"}', { status }));
}

describe('a session', () => {
  beforeEach(() => storeToken('of-now'));
  afterEach(() => vi.unstubAllGlobals());

  it.each([400, 403, 404, 409, 422, 429, 500, 503])(
    'goes on where a call is refused with %i',
    async (status) => {
      answering(status);
      await expect(call(endpoints.users.list, {})).rejects.toMatchObject({ status });
      expect(readToken()).toBe('of-now');
    },
  );

  it('ends with 401, but not where a sign-in is refused', async () => {
    answering(401);
    const body = { email: 'ada@example.com', password: 'wrong' };
    await expect(call(endpoints.auth.login, { body })).rejects.toMatchObject({ status: 401 });
    expect(readToken()).toBe('of-now');
    await expect(call(endpoints.users.list, {})).rejects.toMatchObject({ status: 401 });
    expect(readToken()).toBeNull();
  });

  it('goes on where the 401 is of a session before', async () => {
    vi.stubGlobal('fetch', async () => {
      storeToken('of-later');
      return new Response('', { status: 401 });
    });
    await expect(call(endpoints.users.list, {})).rejects.toMatchObject({ status: 401 });
    expect(readToken()).toBe('of-later');
  });

  it('goes on where no answer came', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(call(endpoints.users.list, {})).rejects.toMatchObject({ status: 0 });
    expect(readToken()).toBe('of-now');
  });
});
