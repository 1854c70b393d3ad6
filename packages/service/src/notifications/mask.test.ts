import { expect, it } from 'vitest';
import { maskSecrets } from './mask.ts';

const secret = 'pä ss"w0rd+/';
const base64 = (text: string) => Buffer.from(text).toString('base64');

it.each([
  ['as it is', secret],
  ['in JSON', JSON.stringify({ pass: secret })],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded in small letters', encodeURIComponent(secret).toLowerCase()],
  ['in a form', new URLSearchParams({ pass: secret }).toString()],
  ['in base64', base64(secret)],
  ['in base64 for addresses', Buffer.from(secret).toString('base64url')],
  ['after nothing and a user', base64(`\0me\0${secret}`)],
  ['after a longer user', base64(`\0gate\0${secret}`)],
  ['after one longer still', base64(`\0gates\0${secret}`)],
  ['before more', base64(`user:${secret}:and more`)],
])('does not tell a secret %s', (_form, quoted) => {
  const masked = maskSecrets(`535 5.7.8 ${quoted} is wrong`, ['', secret]);
  expect(masked).toMatch(/^535 5\.7\.8 .*•••.* is wrong$/);
  expect(masked).not.toContain('w0rd');
  expect(masked).not.toContain(quoted);
});

it('looks a long answer through once', () => {
  const reason = `421 ${'A'.repeat(1_000_000)}`;
  expect(maskSecrets(reason, [secret])).toBe(reason);
  expect(maskSecrets(`${reason} ${base64(secret)}`, [secret])).toBe(`${reason} •••`);
});

it('leaves what is no secret as it was', () => {
  const reason = 'Connection refused by 192.0.2.1:25 (dGhpcyBpcyBub25l), try later';
  expect(maskSecrets(reason, [secret, ''])).toBe(reason);
});
