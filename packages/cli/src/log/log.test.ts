import { describe, expect, it } from 'vitest';
import { createLog } from './index.ts';

function logged(message: string, fields?: Record<string, unknown>): string {
  let text = '';
  createLog('gateway-1', (line) => {
    text += line;
  }).warn(message, fields);
  return text;
}

describe('a log line', () => {
  it('says when, how bad, who and what', () => {
    expect(logged('upstream down', { url: 'http://127.0.0.1:1', tries: 3 })).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z warn {2}gateway-1: upstream down url=http:\/\/127\.0\.0\.1:1 tries=3\n$/,
    );
  });

  it('cannot be forged or coloured by what an attacker sent', () => {
    const line = logged('blocked', { path: '/a\r\n2026 info forged\u001b[31m\u202e\u061c\u2028\u2029' });
    expect(line.split('\n')).toHaveLength(2);
    expect(line).not.toMatch(/[\u001b\u202e\r\u061c\u2028\u2029]/);
    expect(line).toContain('u001b');
  });
});
