import { expect, test } from 'vitest';
import { matches, rulesFrom, type Sent } from './testing/rules.ts';

/*
 * The words of the language that the Core Rule Set 4 is written in, each in a rule of its own that matches one request
 * and not the other.
 */

type Row = readonly [word: string, rules: string, matching: Sent, other: Sent];

const query = (text: string): Sent => ({ target: `/?a=${encodeURIComponent(text)}` });
const sent = (type: string, body: string): Sent => ({
  method: 'POST',
  headers: [['Content-Type', type]],
  body,
});
const form = (body: string) => sent('application/x-www-form-urlencoded', body);
const upload = (disposition: string, content = 'x') =>
  sent(
    'multipart/form-data; boundary=q',
    `--q\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n--q--\r\n`,
  );

const operator = (text: string, matching: string, other: string): Row => [
  text,
  `SecRule ARGS "${text}" "id:1,phase:2,block,t:none"`,
  query(matching),
  query(other),
];

const operators: readonly Row[] = [
  operator('@rx (?i)^a{2,}\\\\b', 'AA b', 'a b'),
  operator('!@rx ^\\\\d+$', 'a', '12'),
  operator('@pm one two', 'say TWO', 'three'),
  operator('@pmFromFile words.data', 'x evil x', 'x good x'),
  operator('@pmf words.data', 'x evil x', 'x good x'),
  operator('@contains bc', 'abcd', 'acbd'),
  operator('@containsWord bc', 'a bc d', 'abcd'),
  operator('@beginsWith ab', 'abc', 'cab'),
  operator('@endsWith .bak', 'x.bak', 'x.bak2'),
  operator('@streq ab', 'ab', 'AB'),
  operator('@strmatch bc', 'abcd', 'acbd'),
  operator('!@within GET POST', 'PUT', 'POST'),
  operator('@eq 3', '3', '4'),
  operator('@ge 3', '3', '2'),
  operator('@gt 3', '4', '3'),
  operator('@le 3', '3', '4'),
  operator('@lt 3', '2', '3'),
  operator('@ipMatch 127.0.0.1,::1,198.51.100.0/24', '198.51.100.9', '203.0.113.9'),
  operator('@ipMatchFromFile addresses.data', '198.51.100.9', '203.0.113.9'),
  operator('@validateByteRange 1-255', 'a\0', 'a'),
  operator('@validateUrlEncoding', '%zz', '%41'),
  [
    '@validateUtf8Encoding',
    'SecRule ARGS "@validateUtf8Encoding" "id:1,phase:2,block,t:none"',
    { target: '/?a=%c0%af' },
    query('\u00e9'),
  ],
  operator('@detectSQLi', "1' or '1'='1", 'one or two'),
  operator('@detectXSS', '<script>alert(1)</script>', 'a < b'),
  ['@unconditionalMatch', 'SecRule ARGS "@unconditionalMatch" "id:1,phase:1,pass"', query('x'), {}],
];

const transformed = (chain: string, from: string, to: string): Row => [
  `t:${chain}`,
  `SecRule ARGS "@streq ${to}" "id:1,phase:2,block,t:none,${chain
    .split(',')
    .map((one) => `t:${one}`)
    .join(',')}"`,
  query(from),
  query(`x${from}`),
];

const transformations: readonly Row[] = [
  transformed('base64Decode', 'YWJj', 'abc'),
  transformed('base64DecodeExt', 'YW.Jj', 'abc'),
  transformed('cmdLine', 'C^AT  ,"x"', 'cat x'),
  transformed('compressWhitespace', 'a \t\n b', 'a b'),
  transformed('cssDecode', '\\61lert', 'alert'),
  transformed('escapeSeqDecode', '\\x61\\142', 'ab'),
  transformed('hexEncode', 'ab', '6162'),
  transformed('hexDecode', '6162', 'ab'),
  transformed('htmlEntityDecode', '&lt;a&#62;', '<a>'),
  transformed('jsDecode', '\\u0061\\x62', 'ab'),
  transformed('length', 'abcd', '4'),
  transformed('lowercase', 'AbC', 'abc'),
  transformed('uppercase', 'AbC', 'ABC'),
  transformed('md5,hexEncode', 'abc', '900150983cd24fb0d6963f7d28e17f72'),
  transformed('sha1,hexEncode', 'abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'),
  transformed('normalisePath', '/a/./b/../c', '/a/c'),
  transformed('normalizePath', '/a/./b/../c', '/a/c'),
  transformed('normalizePathWin', '\\\\a\\\\b\\\\..\\\\c', '/a/c'),
  transformed('removeComments', 'a/* x */b', 'ab'),
  transformed('removeCommentsChar', 'a/*b--c', 'abc'),
  transformed('removeNulls', 'a\0b', 'ab'),
  transformed('removeWhitespace', 'a \t b', 'ab'),
  transformed('replaceComments', 'a/* x */b', 'a b'),
  transformed('replaceNulls', 'a\0b', 'a b'),
  transformed('sqlHexDecode', '0x6162', 'ab'),
  transformed('trim', '  ab ', 'ab'),
  transformed('urlDecode', 'a%62', 'ab'),
  transformed('urlDecodeUni', 'a%u0062', 'ab'),
  transformed('utf8toUnicode', '\u00e9', '%u00e9'),
];

const asked = (variable: string, test: string, matching: Sent, other: Sent, phase = 2): Row => [
  variable,
  `SecRule ${variable} "${test}" "id:1,phase:${phase},block,t:none"`,
  matching,
  other,
];
const header = (name: string, value: string): Sent => ({ headers: [[name, value]] });
const answer = (status: number, body = ''): Sent => ({ response: { status, body } });

const variables: readonly Row[] = [
  asked('ARGS', '@streq x', query('x'), query('y')),
  asked('ARGS_NAMES', '@streq a', query('x'), { target: '/?b=x' }),
  asked('ARGS_GET', '@streq x', query('x'), form('a=x')),
  asked('ARGS_GET_NAMES', '@streq a', query('x'), form('a=x')),
  asked('ARGS_POST', '@streq x', form('a=x'), query('x')),
  asked('ARGS_POST_NAMES', '@streq a', form('a=x'), query('x')),
  asked('ARGS_COMBINED_SIZE', '@gt 5', query('123456'), query('1')),
  asked('&ARGS', '@gt 1', { target: '/?a=1&b=2' }, query('1')),
  asked('&REQUEST_HEADERS:Accept', '@eq 0', {}, header('Accept', '*/*')),
  asked(
    'FILES',
    '@endsWith .php',
    upload('name="f"; filename="a.php"'),
    upload('name="f"; filename="a.png"'),
  ),
  asked('FILES_NAMES', '@streq f', upload('name="f"; filename="a"'), upload('name="g"; filename="a"')),
  asked('FILES_SIZES', '@gt 3', upload('name="f"; filename="a"', '1234'), upload('name="f"; filename="a"')),
  asked(
    'FILES_COMBINED_SIZE',
    '@gt 3',
    upload('name="f"; filename="a"', '1234'),
    upload('name="f"; filename="a"'),
  ),
  asked('FILES_TMP_CONTENT', '@contains 23', upload('name="f"; filename="a"', '1234'), form('a=1234')),
  asked(
    'MULTIPART_PART_HEADERS',
    '@rx (?i)^content-disposition: .*name=.f',
    upload('name="f"'),
    upload('name="g"'),
  ),
  asked('MULTIPART_STRICT_ERROR', '!@eq 0', { ...upload('name="f"'), body: '--q\nx' }, upload('name="f"')),
  asked(
    'MULTIPART_UNMATCHED_BOUNDARY',
    '@eq 1',
    upload('name="f"', 'a\r\n--qz\r\nb'),
    upload('name="f"', 'plain'),
  ),
  asked('MULTIPART_FILENAME', '@streq a', upload('name="f"; filename="a"'), upload('name="f"; filename="b"')),
  asked('MULTIPART_NAME', '@streq f', upload('name="f"; filename="a"'), upload('name="g"; filename="a"')),
  asked('QUERY_STRING', '@streq a=x', query('x'), query('y')),
  asked('REMOTE_ADDR', '@ipMatch 192.0.2.0/24', {}, { clientIp: '198.51.100.7' }),
  asked('REQBODY_PROCESSOR', '!@streq URLENCODED', sent('application/json', '{}'), form('a=1')),
  asked('REQBODY_ERROR', '!@eq 0', sent('application/json', '{'), sent('application/json', '{}')),
  asked('REQUEST_BASENAME', '@endsWith .bak', { target: '/a/b.bak' }, { target: '/a.bak/b' }),
  asked('REQUEST_BODY', '@contains x', form('a=x'), form('a=y')),
  asked('REQUEST_BODY_LENGTH', '@gt 4', form('a=xyz'), form('a=y')),
  asked('REQUEST_COOKIES', '@streq x', header('Cookie', 'a=x'), header('Cookie', 'a=y')),
  asked('REQUEST_COOKIES_NAMES', '@streq a', header('Cookie', 'a=x'), header('Cookie', 'b=x')),
  asked(
    'REQUEST_COOKIES|!REQUEST_COOKIES:/__utm/',
    '@streq x',
    header('Cookie', 'a=x'),
    header('Cookie', '__utma=x'),
  ),
  asked('REQUEST_FILENAME', '@streq /a', { target: '/a?b' }, { target: '/b?a' }),
  asked('REQUEST_HEADERS', '@streq x', header('X-A', 'x'), header('X-A', 'y')),
  asked('REQUEST_HEADERS:Content-Type', '@rx ^text/', header('Content-Type', 'text/a'), form('')),
  asked('REQUEST_HEADERS_NAMES', '@streq X-A', header('X-A', 'x'), header('X-B', 'x')),
  asked('REQUEST_LINE', '@streq GET /a HTTP/1.1', { target: '/a' }, { target: '/b' }),
  asked('REQUEST_METHOD', '!@within GET HEAD', { method: 'PUT' }, {}),
  asked('REQUEST_PROTOCOL', '@streq HTTP/1.1', {}, { httpVersion: '1.0' }),
  asked('REQUEST_URI', '@streq /a?b=c', { target: '/a?b=c' }, { target: '/a' }),
  asked('REQUEST_URI_RAW', '@beginsWith http:', { target: 'http://a/b' }, { target: '/b' }),
  asked('RESPONSE_BODY', '@contains trace', answer(500, 'a trace'), answer(500, 'a page'), 4),
  asked('RESPONSE_STATUS', '@rx ^5', answer(500), answer(200), 3),
  asked('RESPONSE_HEADERS:Content-Type', '@beginsWith text/', answer(200), {}, 3),
  asked('UNIQUE_ID', '@streq aB3', {}, { uniqueId: 'aB4' }),
  asked('XML:/*', '@contains x', sent('text/xml', '<a>x</a>'), sent('text/xml', '<a>y</a>')),
  asked('XML://@*', '@contains x', sent('text/xml', '<a b="x"/>'), sent('text/xml', '<a>x</a>')),
];

const act = (actions: string) => `"phase:1,pass,nolog,${actions}"`;
const scored = `SecRule TX:score "@ge 5" ${act('id:1')}`;
const onX = (actions: string, first = '') => `SecRule ARGS "@streq x" ${act(actions)}\n${first}`;
const removable = `SecRule ARGS "@streq x" ${act("id:1,tag:'attack-sqli',tag:'OWASP_CRS'")}`;
const unless = (control: string) =>
  `SecRule REQUEST_FILENAME "@streq /off" ${act(`id:9,${control}`)}\n${removable}`;
const off: Sent = { target: '/off?a=x' };

const actions: readonly Row[] = [
  [
    'chain',
    `SecRule ARGS:a "@streq x" "id:1,phase:1,block,chain"\nSecRule ARGS:b "@streq y" "t:none"`,
    { target: '/?a=x&b=y' },
    query('x'),
  ],
  [
    'setvar',
    `${onX("id:9,setvar:'tx.score=+%{tx.critical}'").replace('SecRule', `SecAction ${act('id:8,setvar:tx.critical=5')}\nSecRule`)}${scored}`,
    query('x'),
    query('y'),
  ],
  [
    'setvar of a member',
    `${onX("id:9,setvar:'tx.seen_%{MATCHED_VAR_NAME}=%{MATCHED_VAR}'")}SecRule TX:/^seen_/ "@streq x" ${act('id:1')}`,
    query('x'),
    query('y'),
  ],
  [
    'setvar that deletes',
    `SecAction ${act('id:8,setvar:tx.a=1')}\n${onX('id:9,setvar:!tx.a')}SecRule &TX:a "@eq 0" ${act('id:1')}`,
    query('x'),
    query('y'),
  ],
  [
    'setvar that subtracts',
    `SecAction ${act('id:8,setvar:tx.score=5')}\nSecRule ARGS "@streq y" ${act('id:9,setvar:tx.score=-1')}\n${scored}`,
    query('x'),
    query('y'),
  ],
  [
    'capture',
    `SecRule ARGS "@rx ^(.)(.)$" ${act('id:9,capture')}\nSecRule TX:2 "@streq x" ${act('id:1')}`,
    query('ax'),
    query('xa'),
  ],
  [
    'MATCHED_VAR',
    `SecRule ARGS "@rx ." "id:1,phase:1,pass,chain"\nSecRule MATCHED_VAR "@streq x" "t:none"`,
    query('x'),
    query('y'),
  ],
  [
    'MATCHED_VAR_NAME',
    `SecRule ARGS "@rx ." "id:1,phase:1,pass,chain"\nSecRule MATCHED_VAR_NAME "@streq ARGS:a" "t:none"`,
    query('x'),
    { target: '/?b=x' },
  ],
  [
    'MATCHED_VARS',
    `SecRule ARGS "@rx ." "id:1,phase:1,pass,chain"\nSecRule MATCHED_VARS "@streq x" "t:none"`,
    query('x'),
    query('y'),
  ],
  [
    'MATCHED_VARS_NAMES',
    `SecRule ARGS "@rx ." "id:1,phase:1,pass,chain"\nSecRule MATCHED_VARS_NAMES "@contains :a" "t:none"`,
    query('x'),
    { target: '/?b=x' },
  ],
  [
    'multiMatch',
    `SecRule ARGS "@streq A" ${act('id:1,t:none,t:lowercase,multiMatch')}`,
    query('A'),
    query('a'),
  ],
  [
    'skipAfter',
    `SecRule ARGS "@streq y" ${act('id:9,skipAfter:END-A')}\nSecAction ${act('id:1')}\nSecMarker "END-A"`,
    query('x'),
    query('y'),
  ],
  [
    'initcol',
    `SecAction ${act('id:8,initcol:global=global,initcol:ip=%{remote_addr}')}\n${onX('id:9,setvar:ip.seen=1')}SecRule IP:seen "@eq 1" ${act('id:1')}`,
    query('x'),
    query('y'),
  ],
  [
    'expirevar',
    `SecAction ${act('id:8,initcol:ip=%{remote_addr}')}\n${onX("id:9,setvar:'ip.seen=1',expirevar:'ip.seen=60'")}SecRule IP:seen "@eq 1" ${act('id:1')}`,
    query('x'),
    query('y'),
  ],
  [
    'ctl:ruleEngine',
    `SecRule REQUEST_FILENAME "@streq /off" ${act('id:9,ctl:ruleEngine=Off')}\n${removable}`,
    query('x'),
    off,
  ],
  ['ctl:ruleRemoveById', unless('ctl:ruleRemoveById=1'), query('x'), off],
  ['ctl:ruleRemoveById of a range', unless('ctl:ruleRemoveById=1-5'), query('x'), off],
  ['ctl:ruleRemoveByTag', unless('ctl:ruleRemoveByTag=attack-sqli'), query('x'), off],
  ['ctl:ruleRemoveTargetById', unless('ctl:ruleRemoveTargetById=1;ARGS:a'), query('x'), off],
  ['ctl:ruleRemoveTargetByTag', unless('ctl:ruleRemoveTargetByTag=OWASP_CRS;ARGS:a'), query('x'), off],
  [
    'ctl:requestBodyProcessor',
    `SecRule REQUEST_HEADERS:Content-Type "@rx ^application/[a-z.+]+json" ${act('id:9,ctl:requestBodyProcessor=JSON')}\nSecRule ARGS:json.a "@streq x" "id:1,phase:2,pass"`,
    sent('application/vnd.a+json', '{"a":"x"}'),
    sent('application/vnd.a+json', '{"b":"x"}'),
  ],
  [
    'ctl:forceRequestBodyVariable',
    `SecRule REQUEST_HEADERS:X-A "@streq 1" ${act('id:9,ctl:forceRequestBodyVariable=On')}\nSecRule REQUEST_BODY "@contains x" "id:1,phase:2,pass"`,
    {
      ...sent('text/plain', 'x'),
      headers: [
        ['Content-Type', 'text/plain'],
        ['X-A', '1'],
      ],
    },
    sent('text/plain', 'x'),
  ],
  [
    'ctl of logs',
    `SecRule ARGS "@streq x" ${act('id:1,ctl:auditEngine=Off,ctl:auditLogParts=+E,auditlog,noauditlog')}`,
    query('x'),
    query('y'),
  ],
  [
    'what is said of a rule',
    `SecRule ARGS "@streq x" "id:1,phase:request,deny,status:403,log,capture,msg:'A %{MATCHED_VAR}',logdata:'found %{MATCHED_VAR_NAME}: %{TX.0}',tag:'paranoia-level/1',ver:'OWASP_CRS/4.0.0',rev:'1',severity:'CRITICAL'"`,
    query('x'),
    query('y'),
  ],
  [
    'block, as SecDefaultAction says',
    `SecDefaultAction "phase:1,log,auditlog,deny,status:403,tag:'Host: %{request_headers.host}'"\nSecRule ARGS "@streq x" "id:1,phase:1,block"\nSecAction "id:9,phase:1,pass"`,
    query('x'),
    query('y'),
  ],
];

const directives: readonly Row[] = [
  [
    'SecRuleEngine, SecComponentSignature, SecCollectionTimeout, SecMarker',
    `SecRuleEngine On\nSecComponentSignature "OWASP_CRS/4.0.0"\nSecCollectionTimeout 600\nSecMarker "BEGIN"\n${removable}`,
    query('x'),
    query('y'),
  ],
  [
    'SecRequestBodyAccess, SecResponseBodyAccess',
    `SecRequestBodyAccess On\nSecResponseBodyAccess On\nSecRule ARGS "@streq x" "id:1,phase:2,pass"`,
    form('a=x'),
    form('a=y'),
  ],
  [
    'SecRuleRemoveById',
    `SecRule ARGS "@streq y" ${act('id:2')}\n${removable}\nSecRuleRemoveById 2`,
    query('x'),
    query('y'),
  ],
  [
    'SecRuleRemoveByTag',
    `SecRule ARGS "@streq y" ${act("id:2,tag:'a/b'")}\n${removable}\nSecRuleRemoveByTag "a/b"`,
    query('x'),
    query('y'),
  ],
  [
    'SecRuleUpdateTargetById',
    `${removable}\nSecRuleUpdateTargetById 1 "!ARGS:b"`,
    query('x'),
    { target: '/?b=x' },
  ],
  [
    'SecRuleUpdateTargetByTag',
    `${removable}\nSecRuleUpdateTargetByTag "OWASP_CRS" "!ARGS:b"`,
    query('x'),
    { target: '/?b=x' },
  ],
  [
    'SecRuleUpdateActionById',
    `${removable}\nSecRuleUpdateActionById 1 "deny,status:404"`,
    query('x'),
    query('y'),
  ],
];

test.each([...operators, ...transformations, ...variables, ...actions, ...directives])(
  'the Core Rule Set 4 may say %s',
  (_word, text, matching, other) => {
    const rules = rulesFrom(text, { 'words.data': '# a\nevil\n', 'addresses.data': '198.51.100.0/24\n' });
    expect(rules.issues).toEqual([]);
    expect(matches(rules, matching)).toContain(1);
    expect(matches(rules, other)).not.toContain(1);
    expect(matches(rules, other)).not.toContain(2);
  },
);
