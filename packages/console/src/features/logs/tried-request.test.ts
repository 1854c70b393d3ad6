import { AuditEntry } from '@portcullis/contract/events';
import { expect, test } from 'vitest';
import { canBeTried, triedRequest } from './tried-request.ts';

const match = (target: string, value: string) => ({
  ...{ ruleId: 'sql-union', message: '', severity: 'high', score: 5, target, value },
  ...{ span: [0, 1], transformations: [] },
});
const entry = (fields: object) =>
  AuditEntry.parse({
    ...{ id: '1', timestamp: '', level: 'error', action: 'blocked', message: '', kind: 'detection' },
    ...{ siteId: 'site_1', host: 'shop.example.com', method: 'POST', path: '/a?b=1' },
    ...fields,
  });

test('what an event kept of its request is written as tools print it', () => {
  const text = triedRequest(
    entry({
      userAgent: 'probe/1',
      matches: [match('form:email', "a' OR 1=1"), match('form:email', 'again'), match('cookie:id', 'x; y')],
    }),
  );
  expect(text.split('\n')).toEqual([
    'POST /a?b=1 HTTP/1.1',
    'host: shop.example.com',
    'user-agent: probe/1',
    'content-type: application/x-www-form-urlencoded',
    'cookie: id=x%3B%20y',
    '',
    "email=a'%20OR%201%3D1",
  ]);
});

test('a JSON body comes back with its nesting, whatever its names are', () => {
  const matches = [
    match('json:items.0.name', '<b>'),
    match('json:items.0.__proto__', 'x'),
    match('json:n', '1'),
  ];
  expect(triedRequest(entry({ matches })).split('\n').at(-1)).toBe(
    '{"items":[{"name":"<b>","__proto__":"x"}],"n":"1"}',
  );
});

test('a matched header stands once, and in one line', () => {
  const matches = [match('header:user-agent', 'a\r\nb'), match('path', '/a')];
  expect(triedRequest(entry({ userAgent: 'probe/1', matches }))).toBe(
    'POST /a?b=1 HTTP/1.1\nhost: shop.example.com\nuser-agent: a b\n\n',
  );
});

test('only what inspection decided on a site can be tried', () => {
  expect(canBeTried(entry({}))).toBe(true);
  expect(canBeTried(entry({ kind: 'rate_limit' }))).toBe(false);
  expect(canBeTried(entry({ siteId: undefined }))).toBe(false);
  expect(canBeTried(entry({ path: '*' }))).toBe(false);
});
