import { expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../inspect/index.ts';
import { encodeLatin1, post } from '../../testing/requests.ts';

const policy = policyOf('medium');
const form = (text: string, name: string) =>
  inspect(policy, post('application/x-www-form-urlencoded', `${name}=${encodeLatin1(text)}`)).decision;
const json = (text: string, name: string) =>
  inspect(policy, post('application/json', JSON.stringify({ item: { [name]: text } }))).decision;

const statements = [
  "INSERT INTO users (name, role) VALUES ('eve', 'admin')",
  "insert into admins values(1,'a')",
  'replace into users (id) select 1',
  "UPDATE accounts SET role='admin' WHERE login='eve'",
  'update public.users set "role" = 1',
  'DELETE FROM users WHERE id=1',
  'delete from users where 1=1',
  'DELETE FROM sessions',
  'drop table orders;',
  'DROP TABLE orders',
  'insert into t values\n(1)\n-- x',
  'TRUNCATE TABLE sessions;',
  'ALTER TABLE users ADD COLUMN pw text',
];

test.each(statements)('a whole statement is no value of a field: %s', (text) => {
  for (const name of ['q', 'search', 'city', 'id', 'user_name'])
    expect([name, form(text, name), json(text, name)]).toEqual([name, 'block', 'block']);
});

test.each(statements)('it is what consoles, editors and texts hold: %s', (text) => {
  for (const name of [
    'sql',
    'query',
    'raw_sql',
    'sql_query',
    'statement',
    'code',
    'comment',
    'body',
    'up',
    'title',
  ])
    expect([name, form(text, name), json(text, name)]).toEqual([name, 'pass', 'pass']);
});

test.each([
  'Delete from cart button',
  'delete from history',
  'Update settings set by the user',
  'Insert into slot A',
  'insert into the values of others (see below)',
  'truncate table of contents',
  'Alter table legs',
  'drop table cloth size 3',
  'Drop table view',
  "INSERT INTO t (a) VALUES ('x') works but the umlaut is broken",
  'DELETE FROM "cpu" WHERE time < now() - 1h',
  'CREATE DATABASE mydb',
])('words, and what databases of times are told, pass: %s', (text) => {
  for (const name of ['q', 'search', 'name']) expect([name, form(text, name)]).toEqual([name, 'pass']);
});
