import { expect, test } from 'vitest';
import { choices, query } from '../testing/requests.ts';
import { compilePolicy, inspect, type PolicyInput } from './index.ts';

const attack = query("1' UNION SELECT password FROM users--");
const policyOf = (more: Partial<PolicyInput>) =>
  compilePolicy({ securityLevel: 'medium', categories: choices('medium'), ...more });

test('policies that chose alike share what is large, and still decide each by its own', () => {
  const plain = policyOf({});
  const excepted = policyOf({ exceptions: [{ category: 'sql_injection' }] });
  const high = policyOf({ securityLevel: 'high' });
  expect(excepted.automaton).toBe(plain.automaton);
  expect(high.automaton).not.toBe(plain.automaton);
  expect([plain, excepted, high].map((policy) => inspect(policy, attack).decision)).toEqual([
    'block',
    'pass',
    'block',
  ]);
});

test('however many choices there were, the newest few are remembered alone', () => {
  const first = policyOf({});
  for (const sensitivity of ['low', 'medium', 'high'] as const)
    for (const category of ['xss', 'ssrf', 'xxe', 'csrf', 'sql_injection', 'command_injection'] as const)
      policyOf({ categories: { [category]: { enabled: true, mode: 'block', sensitivity } } });
  const again = policyOf({});
  expect(again.automaton).not.toBe(first.automaton);
  expect(inspect(first, attack)).toEqual(inspect(again, attack));
});
