import { describe, expect, it } from 'vitest';
import { loadSeclang } from '../index.ts';
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

  it('stops an Include that includes itself', () => {
    const files = new Map([['a.conf', 'Include a.conf\nSecAction "id:1,phase:1,pass"']]);
    const rules = loadSeclang(files, { entries: ['a.conf'] });
    expect(matching(rules, '/')).toEqual([1]);
    expect(rules.issues).toHaveLength(1);
  });
});
