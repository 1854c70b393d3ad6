import { describe, expect, it } from 'vitest';
import { inspectSeclang } from '../index.ts';
import { matching, rulesFrom } from '../testing/rules.ts';

const act = (actions: string) => `"phase:1,pass,nolog,${actions}"`;

describe('a rule set on a request', () => {
  it('matches a chain only where every link does', () => {
    const rules = rulesFrom(`SecRule ARGS:a "@streq 1" "id:1,phase:1,pass,chain"
      SecRule ARGS:b "@streq 2" "t:none"`);
    expect(matching(rules, '/?a=1&b=2')).toEqual([1]);
    expect(matching(rules, '/?a=1&b=3')).toEqual([]);
  });

  it('leaves out what ! excludes and counts what & asks for', () => {
    const rules = rulesFrom(`SecRule ARGS|!ARGS:/^safe/ "@contains x" ${act('id:1')}
      SecRule &ARGS "@gt 1" ${act('id:2')}
      SecRule &ARGS:b "@eq 0" ${act('id:3')}`);
    expect(matching(rules, '/?safe1=x')).toEqual([3]);
    expect(matching(rules, '/?a=x&b=1')).toEqual([1, 2]);
  });

  it('adds up scores in TX, names with macros included, once for every value that matches', () => {
    const rules = rulesFrom(`SecAction ${act('id:1,setvar:tx.five=5')}
      SecRule ARGS "@rx ." ${act("id:2,setvar:'tx.score=+%{tx.five}',setvar:'tx.seen_%{MATCHED_VAR_NAME}=+1'")}
      SecRule TX:score "@eq 10" ${act('id:3')}
      SecRule TX:/^seen_/ "@gt 1" ${act('id:4')}`);
    expect(matching(rules, '/?a=1&b=2')).toEqual([1, 2, 3]);
    expect(matching(rules, '/?a=1&a=2')).toEqual([1, 2, 3, 4]);
  });

  it('captures the groups of a pattern into TX and forgets those of an earlier one', () => {
    const rules = rulesFrom(`SecRule ARGS:a "@rx ^(.)(.)$" ${act('id:1,capture')}
      SecRule ARGS:b "@rx ^(.)$" ${act('id:2,capture')}
      SecRule TX:1 "@streq z" ${act('id:3')}
      SecRule &TX:2 "@eq 0" ${act('id:4')}`);
    expect(matching(rules, '/?a=xy&b=z')).toEqual([1, 2, 3, 4]);
  });

  it('looks between transformations only under multiMatch', () => {
    const rule = (id: number, more: string) =>
      `SecRule ARGS "@streq A" ${act(`id:${id},t:none,t:urlDecode,t:lowercase${more}`)}`;
    const rules = rulesFrom(`${rule(1, '')}\n${rule(2, ',multiMatch')}`);
    expect(matching(rules, '/?x=%2541')).toEqual([2]);
  });

  it('jumps to markers and over rules', () => {
    const rules = rulesFrom(`SecAction ${act('id:1,skip:1')}
      SecAction ${act('id:2')}
      SecAction ${act('id:3,skipAfter:END')}
      SecAction ${act('id:4')}
      SecMarker "END"
      SecAction ${act('id:5')}`);
    expect(matching(rules, '/')).toEqual([1, 3, 5]);
  });

  it('switches rules and targets off for one request', () => {
    const rules = rulesFrom(`SecRule ARGS:off "@streq 1" ${act('id:1,ctl:ruleRemoveById=10-11')}
      SecRule ARGS:off "@streq 2" ${act('id:2,ctl:ruleRemoveTargetByTag=attack;ARGS:a')}
      SecRule ARGS "@contains x" ${act('id:10,tag:attack')}
      SecRule ARGS "@contains x" ${act('id:12')}`);
    expect(matching(rules, '/?off=1&a=x')).toEqual([1, 12]);
    expect(matching(rules, '/?off=2&a=x')).toEqual([2, 12]);
    expect(matching(rules, '/?a=x')).toEqual([10, 12]);
  });

  it('reads forms, uploads, JSON and XML', () => {
    const rules = rulesFrom(`SecRule ARGS_POST:a "@streq 1 2" "id:1,phase:2,pass"
      SecRule ARGS:json.a.0.b "@streq x" "id:2,phase:2,pass"
      SecRule XML:/* "@contains hidden" "id:3,phase:2,pass"
      SecRule XML://@* "@streq v" "id:4,phase:2,pass"
      SecRule FILES "@endsWith .php" "id:5,phase:2,pass"
      SecRule MULTIPART_STRICT_ERROR "@eq 1" "id:6,phase:2,pass"
      SecRule REQBODY_ERROR "@eq 1" "id:7,phase:2,pass"`);
    const post = (type: string, body: string) =>
      matching(rules, '/', {
        request: {
          method: 'POST',
          target: '/',
          httpVersion: '1.1',
          scheme: 'http',
          headers: [['Content-Type', type]],
          clientIp: '::1',
          body,
        },
      });
    expect(post('application/x-www-form-urlencoded', 'a=1+2')).toEqual([1]);
    expect(post('application/json', '{"a":[{"b":"x"}]}')).toEqual([2]);
    expect(post('application/json', '{"a":')).toEqual([7]);
    expect(post('text/xml', '<r><a k="v">hid<b>den</b></a></r>')).toEqual([3, 4]);
    expect(post('text/xml', '<r><a></r>')).toEqual([7]);
    const part = '--q\r\nContent-Disposition: form-data; name="f"; filename="a.php"\r\n\r\nx\r\n--q--\r\n';
    expect(post('multipart/form-data; boundary=q', part)).toEqual([5]);
    expect(post('multipart/form-data; boundary="q"', part.replaceAll('\r\n', '\n'))).toEqual([5, 6]);
  });

  it('ends at the first rule that denies, but still runs phase 5', () => {
    const rules = rulesFrom(`SecDefaultAction "phase:1,deny,status:406,log"
      SecRule ARGS "@contains x" "id:1,phase:1,block,msg:'found %{MATCHED_VAR}',severity:2"
      SecAction "id:2,phase:1,pass"
      SecAction "id:3,phase:5,pass"`);
    const request = {
      method: 'GET',
      target: '/?a=xyz',
      httpVersion: '1.1',
      scheme: 'http',
      headers: [],
      clientIp: '::1',
    } as const;
    const verdict = inspectSeclang(rules, { request });
    expect(verdict.intervention).toEqual({ kind: 'deny', status: 406, ruleId: 1, phase: 1 });
    expect(verdict.matches[0]).toMatchObject({
      id: 1,
      message: 'found xyz',
      severity: 'CRITICAL',
      target: 'ARGS:a',
    });
    expect(verdict.matches.map(({ id }) => id)).toEqual([1, 3]);
  });

  it('runs response phases on a supplied response, and redirects', () => {
    const rules = rulesFrom(`SecRule RESPONSE_STATUS "@rx ^5" "id:1,phase:3,pass"
      SecRule RESPONSE_BODY "@contains stack trace" "id:2,phase:4,redirect:/sorry?%{TX.a},status:307"`);
    const response = { status: 500, headers: [], body: new TextEncoder().encode('a stack trace') };
    expect(matching(rules, '/', { response })).toEqual([1, 2]);
    expect(matching(rules, '/')).toEqual([]);
  });

  it('remembers a text as harmless only where it is harmless in every request', () => {
    const rules = rulesFrom(`SecRule REQUEST_HEADERS:Host "!@rx ^shop" ${act('id:2')}
      SecRule REQUEST_HEADERS:Host "@rx ^(?:[^.]+\\.){2}com$" ${act('id:3')}
      SecRule REQUEST_HEADERS:Host "@endsWith %{REQUEST_BASENAME}" ${act('id:4')}`);
    const asked = ['/net', '/com', '/net', '/com'];
    // What a bound kept from being looked at has not been found harmless.
    expect(matching(rules, '/com', { maxWork: -1 })).toEqual([]);
    expect(asked.map((target) => matching(rules, target))).toEqual([[3], [3, 4], [3], [3, 4]]);
  });
});
