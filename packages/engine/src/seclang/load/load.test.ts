import { describe, expect, it } from 'vitest';
import { inspectSeclang, loadSeclang } from '../index.ts';
import { matching, rulesFrom } from '../testing/rules.ts';

describe('loading a rule set', () => {
  it('reports what it does not support with file and line, and loads the rest', () => {
    const rules = rulesFrom(`SecRule ARGS "@rx a" "id:1,phase:1,pass"
SecMagic On
SecRule NOTHING "@rx a" "id:2"
SecRule ARGS "@rx (?R)" "id:3"
SecRule ARGS "@nosuch a" "id:4"
SecRule ARGS "@rx a" "id:5,phase:1,pass,t:nosuch,frobnicate"
SecAuditEngine On
SecRuleScript x.lua`);
    expect(rules.issues.map(({ file, line, level }) => `${file}:${line} ${level}`)).toEqual([
      'test.conf:2 error',
      'test.conf:7 notice',
      'test.conf:8 error',
      'test.conf:3 error',
      'test.conf:4 error',
      'test.conf:5 error',
      'test.conf:6 notice',
      'test.conf:6 notice',
    ]);
    expect(matching(rules, '/?x=a')).toEqual([1, 5]);
  });

  it('begins with the setup file, or its example, and reads the others by name', () => {
    const rule = (id: number) => `SecAction "id:${id},phase:1,pass"`;
    const files = new Map([
      ['rules/REQUEST-2.conf', rule(2)],
      ['rules/REQUEST-1.conf', rule(1)],
      ['crs-setup.conf.example', rule(9)],
      ['rules/extra.conf.example', rule(8)],
    ]);
    expect(matching(loadSeclang(files), '/')).toEqual([9, 1, 2]);
    files.set('crs-setup.conf', rule(7));
    expect(matching(loadSeclang(files), '/')).toEqual([7, 1, 2]);
  });

  it('follows Include with wildcards and finds data files beside the rule', () => {
    const files = new Map([
      ['main.conf', 'Include rules/*.conf\nInclude missing.conf'],
      ['rules/b.conf', 'SecRule ARGS "@pmFromFile words.data" "id:2,phase:1,pass"'],
      ['rules/words.data', '# comment\nevil\n'],
    ]);
    const rules = loadSeclang(files);
    expect(matching(rules, '/?a=EVIL')).toEqual([2]);
    expect(rules.issues).toMatchObject([{ file: 'main.conf', line: 2, level: 'error' }]);
  });

  it('changes rules by later directives', () => {
    const rules = rulesFrom(`SecRule ARGS "@contains x" "id:1,phase:1,pass,tag:'a/b'"
      SecRule ARGS "@contains x" "id:2,phase:1,pass"
      SecRule ARGS "@contains x" "id:3,phase:1,deny"
      SecRuleUpdateTargetById 1 "!ARGS:safe"
      SecRuleUpdateTargetByTag a/b "REQUEST_URI"
      SecRuleRemoveById 2 5-9
      SecRuleUpdateActionById 3 "pass"`);
    expect(rules.issues).toEqual([]);
    expect(matching(rules, '/?safe=x')).toEqual([1, 3]);
    expect(matching(rules, '/?safe=y')).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['SecRule ARGS "@rx a "id:1"\nSecAction "id:2,phase:1,pass', '2 error', 'without its closing'],
    ['SecAction "id:1,phase:1,pass,chain"\nSecMarker X', '1 error', 'no rule follows'],
    ['SecAction "id:1,phase:1,pass,chain"', '1 error', 'no rule follows'],
    ['SecAction "phase:1,pass"', '1 error', 'no id'],
    [
      'SecAction "id:1,phase:1,pass"\nSecAction "id:1,phase:1,pass"',
      '2 notice',
      'another rule 1 at test.conf:1',
    ],
    ['SecDefaultAction "phase:2,pass,setvar:tx.a=1"', '1 notice', 'setvar is not passed on'],
    ['SecDefaultAction "phase:9,pass"', '1 error', 'names no phase'],
    ['SecRule XML:/a[1] "@rx a" "id:1"', '1 error', 'XPath'],
    ['SecRule ARGS:/(/ "@rx a" "id:1"', '1 error', 'selector'],
    ['SecRule GEO:COUNTRY_CODE "@rx a" "id:1"', '1 notice', 'GEO has no members here'],
    ['SecAction "id:1,phase:1,pass,setvar:foo.a=1"', '1 notice', 'setvar'],
    ['SecAction "id:1,phase:1,pass,ctl:ruleRemoveTargetById=2;ARGS:/(/"', '1 notice', 'selector'],
    ['SecAction "id:1,phase:1,pass,ctl:responseBodyAccess=Off"', '1 notice', 'ctl:responseBodyAccess'],
    ['SecRule ARGS "@rx (?<=a+)b" "id:1"', '1 error', 'look behind'],
    ['SecRemoteRules key https://a/', '1 error', 'not supported'],
    ['SecRuleRemoveById 5', '1 notice', 'no rule before this line'],
    ['Include x/*.conf', '1 error', 'there is no file'],
  ])('says of %j what is wrong, and where', (text, place, message) => {
    const found = rulesFrom(text).issues.map(({ line, level, message }) => `${line} ${level} ${message}`);
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${place} .*${message}`)));
  });

  it('reads a file with a byte order mark, NULs and Windows line ends', () => {
    const rules = rulesFrom(
      '\xef\xbb\xbfSecAction "id:1,phase:1,pass"\r\nSecAction \\\r\n  "id:2,phase:1,pass"\r\n\0',
    );
    expect(matching(rules, '/')).toEqual([1, 2]);
  });

  it('applies a SecDefaultAction to the rules after it', () => {
    const rules = rulesFrom(`SecRule ARGS "@rx x" "id:1,phase:1,block"
      SecDefaultAction "phase:request,deny"
      SecDefaultAction "phase:1,deny,status:406"
      SecRule ARGS "@rx y" "id:2,phase:1,block"`);
    const status = (target: string) =>
      inspectSeclang(rules, {
        request: { method: 'GET', target, httpVersion: '1.1', scheme: 'http', headers: [], clientIp: '::1' },
      }).intervention?.status;
    expect([status('/?a=x'), status('/?a=y')]).toEqual([undefined, 406]);
  });

  it('finds what an Include of another machine means by the end of its path', () => {
    const rule = (id: number) => `SecAction "id:${id},phase:1,pass"`;
    const files = new Map([
      ['main.conf', 'Include /usr/share/modsecurity-crs/rules/*.conf'],
      ['other.conf', rule(2)],
      ['rules/a.conf', rule(1)],
    ]);
    expect(matching(loadSeclang(files, { entries: ['main.conf'] }), '/')).toEqual([1]);
  });

  it('ends, whatever includes what', () => {
    const twice = Array.from(
      { length: 40 },
      (_unused, index) => [`${index}.conf`, `Include ${index + 1}.conf\nInclude ${index + 1}.conf`] as const,
    );
    const deep = Array.from(
      { length: 200 },
      (_unused, index) => [`d${index}.conf`, `Include d${index + 1}.conf`] as const,
    );
    const files = new Map([...twice, ...deep, ['star.conf', `Include ${'*a'.repeat(60)}b`]]);
    for (const entry of ['0.conf', 'd0.conf', 'star.conf']) {
      expect(loadSeclang(files, { entries: [entry] }).issues).not.toEqual([]);
    }
  });

  it('stops an Include that includes itself', () => {
    const files = new Map([['a.conf', 'Include a.conf\nSecAction "id:1,phase:1,pass"']]);
    const rules = loadSeclang(files, { entries: ['a.conf'] });
    expect(matching(rules, '/')).toEqual([1]);
    expect(rules.issues).toHaveLength(1);
  });
});
