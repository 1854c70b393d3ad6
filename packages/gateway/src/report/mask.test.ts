import type { EventMatch } from '@portcullis/contract/events';
import { describe, expect, test } from 'vitest';
import { maskMatch, maskTarget } from './mask.ts';

describe('secrets in a request target', () => {
  test.each([
    ['/login?user=a&password=hunter2', '/login?user=a&password=***'],
    ['/?access_token=abc&x=1', '/?access_token=***&x=1'],
    ['/?api-key=abc', '/?api-key=***'],
    ['/?q=password', '/?q=password'],
    ['/password/reset', '/password/reset'],
    ['/?code=123456&state=y', '/?code=***&state=y'],
  ])('%s is kept as %s', (target, masked) => expect(maskTarget(target)).toBe(masked));
});

const match = (target: string, value: string, span: [number, number]): EventMatch => ({
  ruleId: 'rule',
  message: 'found',
  severity: 'high',
  score: 5,
  target,
  value,
  span,
  transformations: [],
});

describe('secrets around a match', () => {
  test.each([
    ['query:id', 'abc <script> def', [4, 12], 'abc <script> def'],
    ['cookie:session', 'abc <script> def', [4, 12], '****<script>****'],
    ['header:authorization', 'Bearer x<script>', [8, 16], '********<script>'],
    ['json:user.password', 'hunter2 OR 1=1', [7, 14], '******* OR 1=1'],
    ['cookie:session', "topsecretvalue' OR 1=1", [0, 22], "**************' OR 1=1"],
  ] as const)('in %s', (target, value, span, masked) => {
    const got = maskMatch(match(target, value, [...span]));
    expect(got.value).toBe(masked);
    expect(got.span).toEqual(span);
  });

  test.each([
    ['header:x-api-key', 'secret', [0, 6], '******'],
    ['header:authorization', 'Basic YWRtaW46YWRtaW4=', [0, 22], '**********************'],
    ['header:user-agent', 'curl/8', [0, 4], 'curl/8'],
  ] as const)(
    "nothing that one's own rule found in %s is kept if it is secret",
    (target, value, span, masked) => {
      expect(maskMatch({ ...match(target, value, [...span]), score: 0 }).value).toBe(masked);
    },
  );

  const long = 'x'.repeat(600);
  test.each([
    ['query', 'role=admin&token=abc&x=1', [5, 10], 'role=admin&token=***&x=1'],
    ['query', 'token=ad&min&x=1', [6, 12], 'token=**&***&x=1'],
    ['query', 'debug&x=1', [0, 5], 'debug&x=1'],
    ['query', `${long.slice(0, 128)}&q=admin&${long}`.slice(0, 512), [131, 136], /^\*{128}&q=admin&x+$/],
    ['target', '/token=a?password=hunter2&x=1', [0, 5], '/token=a?password=*******&x=1'],
    ['body', 'user=admin&password=hunter2', [5, 10], 'user=admin&password=*******'],
    ['body', '{"user":"admin"}', [9, 14], '{"user":"admin"}'],
  ] as const)(
    "nothing that stands beside what one's own rule found in %s as %s",
    (target, value, span, masked) => {
      const got = maskMatch({ ...match(target, value, [...span]), score: 0 });
      expect(got.value).toMatch(masked);
      expect(got.value).toHaveLength(value.length);
      expect(got.span).toEqual(span);
    },
  );

  test('evidence within a secret parameter of a whole stays', () => {
    const { value } = maskMatch(match('query', 'token=ab<script>cd&x=1', [8, 16]));
    expect(value).toBe('token=**<script>**&x=1');
  });
});
