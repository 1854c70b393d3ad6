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
});
