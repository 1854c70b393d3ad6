import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../index.ts';
import { encodeLatin1, post } from '../testing/requests.ts';
import { decodeBesideShownCode } from './shown-code.ts';

const policy = policyOf('medium');
const form = (text: string) =>
  inspect(policy, post('application/x-www-form-urlencoded', `content=${encodeLatin1(text)}`)).decision;
const json = (text: string) =>
  inspect(policy, post('application/json', JSON.stringify({ html: text }))).decision;

describe('markup that a text of markup shows', () => {
  test.each([
    '<p>Try:</p><pre><code>&lt;script&gt;alert(1)&lt;/script&gt;</code></pre>',
    '<pre class="wp-block-code"><code>&lt;iframe src="x"&gt; &#60;script src="/a.js"&#62;</code></pre>',
    '<p>Write <code>&lt;img src=x onerror=hi&gt;</code>, not <code>&lt;svg&gt;</code>.</p>',
  ])('passes %s', (text) => {
    expect([form(text), json(text)]).toEqual(['pass', 'pass']);
  });

  test.each([
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '<b>&lt;script&gt;alert(1)&lt;/script&gt;</b>',
    '<code>x</code>&lt;script&gt;alert(1)&lt;/script&gt;',
    '<code>&lt;b&gt;</code>&lt;svg onload=alert(1)&gt;<code>x</code>',
    '<code>&lt;script&gt;alert(1)&lt;/script&gt;',
    '<code><script>alert(1)</script></code>',
    '<code title="&lt;/code&gt;"><img src=x onerror=alert(1)></code>',
    '<codex>&lt;script&gt;alert(1)&lt;/script&gt;</codex>',
    '<pre>&lt;b&gt;</pre><iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
    '<code>&#39;;alert(1)//</code>',
    "<code>';alert(1)//</code>",
    '<code>&#39; union select password from users-- </code>',
  ])('blocks %s', (text) => {
    expect([form(text), json(text)]).toEqual(['block', 'block']);
  });

  test('takes time in step with its length', () => {
    const text = '<code>&lt;'.repeat(40_000);
    const start = process.cpuUsage().user;
    expect(decodeBesideShownCode(text)).toBe('<code><'.repeat(40_000));
    expect(process.cpuUsage().user - start).toBeLessThan(2_000_000);
  });
});
