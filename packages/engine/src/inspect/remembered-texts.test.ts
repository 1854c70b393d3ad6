import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { choices, post, query } from '../testing/requests.ts';
import { compilePolicy, inspect } from './index.ts';

const policyOf = () => compilePolicy({ securityLevel: 'medium', categories: choices('medium') });
const attack = "1' UNION SELECT password FROM users--";
const packed = deflateRawSync(`<samlp:AuthnRequest id="${attack}"/>`).toString('base64');

test('what was harmless under one name is read as a SAML message under the name of one', () => {
  const policy = policyOf();
  for (let time = 0; time < 4; time += 1)
    expect(inspect(policy, query(packed, 'state')).decision).toBe('pass');
  expect(inspect(policy, query(packed, 'SAMLRequest')).decision).toBe('block');
});

test('so it is within one request of many values', () => {
  const encoded = encodeURIComponent(packed);
  const values = Array.from({ length: 20 }, (_unused, index) => `field${index}=${encoded}`);
  const body = [...values, `SAMLRequest=${encoded}`].join('&');
  expect(inspect(policyOf(), post('application/x-www-form-urlencoded', body)).decision).toBe('block');
});

test('a text that rules see and find harmless is judged alike however often it comes', () => {
  const policy = policyOf();
  const harmless = 'Please select one from the list; the union of both -- or none -- is fine';
  const decisions = [harmless, harmless, harmless, attack, harmless, attack, attack].map(
    (text) => inspect(policy, post('application/json', JSON.stringify({ note: text }))).decision,
  );
  expect(decisions).toEqual(['pass', 'pass', 'pass', 'block', 'pass', 'block', 'block']);
});

test('an attack that an exception excuses at one parameter is none the better known at another', () => {
  const excusing = compilePolicy({
    securityLevel: 'medium',
    categories: choices('medium'),
    exceptions: [{ category: 'sql_injection', parameter: 'note' }],
  });
  for (let time = 0; time < 4; time += 1)
    expect(inspect(excusing, query(attack, 'note')).decision).toBe('pass');
  expect(inspect(excusing, query(attack, 'q')).decision).toBe('block');
  expect(inspect(policyOf(), query(attack, 'note')).decision).toBe('block');
});
