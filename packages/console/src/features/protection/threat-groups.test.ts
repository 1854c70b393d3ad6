import { expect, it } from 'vitest';
import { groupThreats } from './threat-groups.ts';

it('groups threats by the words in their type, and counts only blocked ones as blocked', () => {
  const threats = [
    'sql_injection',
    'xss',
    'script_gadget',
    'bot_fight_mode',
    'rate_limiting',
    'path_traversal',
  ]
    .flatMap((type) => [
      { type, action: 'blocked' },
      { type, action: 'challenged' },
    ])
    .concat({ type: 'ldap_injection', action: 'blocked' });
  expect(groupThreats(threats)).toEqual([
    { group: 'sql', detected: 2, blocked: 1 },
    { group: 'xss', detected: 4, blocked: 2 },
    { group: 'bot', detected: 2, blocked: 1 },
    { group: 'ddos', detected: 2, blocked: 1 },
    { group: 'path', detected: 2, blocked: 1 },
  ]);
});
