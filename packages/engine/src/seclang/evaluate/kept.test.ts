import { describe, expect, it } from 'vitest';
import { createKeptCollections, inspectSeclang, type KeptCollections } from '../index.ts';
import { matching, rulesFrom } from '../testing/rules.ts';

const act = (actions: string) => `"phase:1,pass,nolog,${actions}"`;
const begin = Date.UTC(2026, 0, 1);

/** A process that serves one rule set, with a clock that the test sets. */
function serving(text: string, kept: KeptCollections = createKeptCollections()) {
  const rules = rulesFrom(text);
  let nowMs = begin;
  return {
    kept,
    wait: (seconds: number) => {
      nowMs += seconds * 1000;
    },
    ask: (target: string, clientIp = '192.0.2.7') =>
      matching(rules, target, { context: { startedAtMs: nowMs, kept } }, clientIp),
  };
}

const login = `SecAction ${act('id:1,initcol:ip=%{REMOTE_ADDR}')}
  SecRule REQUEST_FILENAME "@streq /login" ${act('id:2,setvar:ip.tries=+1,expirevar:ip.tries=60')}
  SecRule IP:tries "@gt 3" ${act('id:3')}`;

describe('collections that a rule keeps over requests', () => {
  it('count what one client does, and nobody else', () => {
    const { ask } = serving(login);
    for (let tries = 1; tries <= 3; tries += 1) expect(ask('/login')).toEqual([1, 2]);
    expect(ask('/login', '192.0.2.8')).toEqual([1, 2]);
    expect(ask('/login')).toEqual([1, 2, 3]);
    expect(ask('/')).toEqual([1, 3]);
  });

  it('forget a value when its time is over, and not before', () => {
    const { ask, wait } = serving(login);
    for (let tries = 1; tries <= 4; tries += 1) ask('/login');
    wait(59);
    expect(ask('/')).toEqual([1, 3]);
    wait(1);
    expect(ask('/')).toEqual([1]);
  });

  it('are forgotten as a whole when nobody has changed them for SecCollectionTimeout', () => {
    const { ask, wait, kept } = serving(`SecCollectionTimeout 600
      SecAction ${act('id:1,initcol:ip=%{REMOTE_ADDR}')}
      SecRule ARGS:set "@streq 1" ${act('id:2,setvar:ip.seen=1')}
      SecRule IP:seen "@eq 1" ${act('id:3')}
      SecRule IP:IS_NEW "@eq 1" ${act('id:4')}`);
    expect(ask('/')).toEqual([1, 4]);
    expect(kept.size).toBe(0);
    expect(ask('/?set=1')).toEqual([1, 2, 3, 4]);
    wait(599);
    expect(ask('/')).toEqual([1, 3]);
    wait(1);
    expect(ask('/')).toEqual([1, 4]);
  });

  it('let a value wane', () => {
    const { ask, wait } = serving(`SecAction ${act('id:1,initcol:ip=%{REMOTE_ADDR}')}
      SecRule ARGS:add "@rx ." ${act('id:2,setvar:ip.score=+%{MATCHED_VAR}')}
      SecAction ${act('id:3,deprecatevar:ip.score=10/300')}
      SecRule IP:score "@ge 20" ${act('id:4')}`);
    expect(ask('/?add=35')).toEqual([1, 2, 3, 4]);
    wait(301);
    expect(ask('/')).toEqual([1, 3, 4]);
    wait(301);
    expect(ask('/')).toEqual([1, 3]);
  });

  it('know sessions and users by the name that a rule gives them', () => {
    const { ask } = serving(`SecRule ARGS:sid "@rx ^\\w+$" ${act('id:1,setsid:%{MATCHED_VAR}')}
      SecRule ARGS:user "@rx ^\\w+$" ${act('id:2,setuid:%{MATCHED_VAR}')}
      SecRule ARGS:bad "@rx ." ${act('id:3,setvar:session.bad=1,setvar:user.bad=1')}
      SecRule SESSION:bad "@eq 1" ${act('id:4')}
      SecRule USER:bad "@eq 1" ${act('id:5')}
      SecRule SESSIONID "@streq abc" ${act('id:6')}
      SecRule USERID "@streq ann" ${act('id:7')}`);
    expect(ask('/?sid=abc&user=ann&bad=1')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(ask('/?sid=abc&user=bob')).toEqual([1, 2, 4, 6]);
    expect(ask('/?sid=xyz&user=ann')).toEqual([1, 2, 5, 7]);
    expect(ask('/?bad=1')).toEqual([3]);
  });

  it('tell how often and how fast they change', () => {
    const { ask, wait } = serving(`SecAction ${act('id:1,initcol:global=all')}
      SecRule ARGS:hit "@rx ." ${act('id:2,setvar:global.hits=+1')}
      SecRule GLOBAL:UPDATE_COUNTER "@eq 6" ${act('id:3')}
      SecRule GLOBAL:UPDATE_RATE "@eq 3" ${act('id:4')}
      SecRule GLOBAL:KEY "@streq all" ${act('id:5')}`);
    for (let hit = 1; hit <= 5; hit += 1) ask('/?hit=1');
    wait(120);
    expect(ask('/?hit=1')).toEqual([1, 2, 5]);
    expect(ask('/')).toEqual([1, 3, 4, 5]);
  });

  it('last for the request where nothing keeps them', () => {
    const rules = rulesFrom(`SecAction ${act('id:1,initcol:ip=%{REMOTE_ADDR},setvar:ip.seen=+1')}
      SecRule IP:seen "@eq 1" ${act('id:2')}`);
    const input = { context: { startedAtMs: begin } };
    expect(matching(rules, '/', input)).toEqual([1, 2]);
    expect(matching(rules, '/', input)).toEqual([1, 2]);
  });

  it('stay within their bounds, whatever clients send', () => {
    const { ask, kept } = serving(
      `SecAction ${act('id:1,initcol:ip=%{REMOTE_ADDR},setvar:ip.seen=1')}
      SecRule ARGS "@rx ." ${act("id:2,setvar:'ip.%{MATCHED_VAR_NAME}=%{MATCHED_VAR}'")}
      SecRule IP:seen "@eq 1" ${act('id:3')}
      SecRule &IP "@gt 64" ${act('id:4')}
      SecRule IP:/^ARGS:/ "@rx ^.{257}" ${act('id:5')}`,
      createKeptCollections({ maxCollections: 2 }),
    );
    const many = Array.from({ length: 3000 }, (_, index) => `p${index}=1`).join('&');
    expect(ask(`/?${many}`)).toEqual([1, 2, 3]);
    expect(ask(`/?long=${'x'.repeat(10_000)}`, '192.0.2.8')).toEqual([1, 2, 3]);
    ask('/', '192.0.2.9');
    expect(kept.size).toBe(2);
  });
});

describe('what a rule says of a kept collection', () => {
  it.each([
    ['initcol:tx=%{REMOTE_ADDR}', 'no collection that is kept'],
    ['initcol:ip', 'no collection that is kept'],
    ['expirevar:ip.x', 'no variable and no time'],
    ['deprecatevar:ip.x=60', 'no amount and no time'],
  ])('%s is reported with its line', (action, cause) => {
    const { issues } = rulesFrom(`\nSecAction "id:1,phase:1,pass,${action}"`);
    expect(issues).toMatchObject([{ line: 2, message: expect.stringContaining(cause) }]);
  });

  it('keeps what a request that is denied has changed', () => {
    const kept = createKeptCollections();
    const rules = rulesFrom(`SecAction ${act('id:1,initcol:ip=%{REMOTE_ADDR},setvar:ip.hits=+1')}
      SecRule IP:hits "@gt 1" "id:2,phase:1,deny,status:429"`);
    const request = {
      method: 'GET',
      target: '/',
      httpVersion: '1.1',
      scheme: 'http',
      headers: [],
      clientIp: '192.0.2.7',
    } as const;
    const ask = () => inspectSeclang(rules, { request, context: { startedAtMs: begin, kept } }).intervention;
    expect(ask()).toBeUndefined();
    expect(ask()).toMatchObject({ status: 429, ruleId: 2 });
    expect(ask()).toMatchObject({ status: 429, ruleId: 2 });
  });
});
