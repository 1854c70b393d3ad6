import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspectSeclang, loadSeclang } from '../index.ts';
import { rulesFrom } from '../testing/rules.ts';

const all = 'ARGS|ARGS_NAMES|REQUEST_HEADERS|REQUEST_COOKIES|REQUEST_BODY|XML:/*|XML://@*|FILES|REQUEST_URI';
const chain = 't:none,t:utf8toUnicode,t:urlDecodeUni,t:htmlEntityDecode,t:jsDecode,t:cssDecode,t:removeNulls';
const rules = rulesFrom(`
SecRule ${all} "@detectSQLi" "id:1,phase:2,pass,${chain}"
SecRule ${all} "@detectXSS" "id:2,phase:2,pass,${chain},multiMatch"
SecRule ${all} "@rx (?i)un(?:ion|do)\\s+(?:all\\s+)?sel" "id:3,phase:2,pass,${chain},t:lowercase"
SecRule ${all} "@rx [<>]|a{3}|b+c?d" "id:4,phase:2,pass,capture,t:none,t:cmdLine,t:normalizePathWin"
SecRule ${all} "@pm ab ../ select" "id:5,phase:2,pass,t:none,t:base64Decode"
SecRule ${all} "!@validateUtf8Encoding" "id:6,phase:2,pass,t:none,t:hexDecode"
SecRule REQBODY_ERROR|MULTIPART_STRICT_ERROR "@eq 1" "id:7,phase:2,pass,setvar:'tx.%{MATCHED_VAR_NAME}=+1'"
`);
const naive = {
  ...rules,
  gate: { words: rules.gate.words, bitsOf: () => new Array<number>(rules.gate.words).fill(-1) },
};

const piece = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 12 }),
  fc.constantFrom(
    'union select',
    'aaa',
    'bbd',
    '<a b=c>',
    '%u0041',
    '&#x41;',
    '\\x41',
    '--q',
    '\r\n',
    '{"a":',
    '[',
    '"',
  ),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const type = fc.constantFrom(
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=q',
  'multipart/form-data',
  'text/xml',
  'application/json',
  '',
);
const request = fc
  .record({ type, query: text, header: text, body: text })
  .map(({ type, query, header, body }) => ({
    method: 'POST',
    target: `/?${query}`,
    httpVersion: '1.1',
    scheme: 'http' as const,
    headers: [
      ['Content-Type', type],
      ['Cookie', header],
      ['X', header],
    ] as const,
    clientIp: '::1',
    body,
  }));

describe('whatever a client sends', () => {
  it('never makes inspection throw, and the gate changes no match', () => {
    fc.assert(
      fc.property(request, (sent) => {
        const { matches } = inspectSeclang(rules, { request: sent });
        expect(matches).toEqual(inspectSeclang(naive, { request: sent }).matches);
      }),
      { numRuns: 400 },
    );
  });

  it('stops at the bound on work and says so', () => {
    const sent = {
      method: 'GET',
      target: `/?a=${'x'.repeat(2000)}`,
      httpVersion: '1.1',
      scheme: 'http',
      headers: [],
      clientIp: '::1',
    } as const;
    expect(inspectSeclang(rules, { request: sent, maxWork: 1000 }).overBudget).toBe(true);
    expect(inspectSeclang(rules, { request: sent }).overBudget).toBeUndefined();
  });

  it('and whatever a rule file holds, never makes loading throw', () => {
    const word = fc.constantFrom(
      'SecRule',
      'SecAction',
      'ARGS',
      '"@rx (',
      '"id:1,phase:1',
      'chain"',
      '\\\n',
      '\n',
      'Include',
      '*',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 6 })), { maxLength: 20 }), (words) => {
        loadSeclang(new Map([['a.conf', words.join(' ')]]));
      }),
    );
  });
});
