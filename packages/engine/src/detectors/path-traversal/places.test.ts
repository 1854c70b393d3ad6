import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { blocks, passes, passesWritten } from '../../testing/payloads.ts';
import { choices, post, request } from '../../testing/requests.ts';

describe('path_traversal, places and spellings', () => {
  // files of systems and applications
  blocks('path_traversal', [
    '%uff0e%uff0e%u2215%uff0e%uff0e%u2215etc%u2215passwd',
    '..%u2215..%u2215etc/passwd',
    '..;a=b/..;a=b/secret.txt',
    '..;\\/..;\\/config.php',
    'img/..%3bx/..%3bx/secret.txt',
    '/etc/kubernetes/admin.conf',
    '/sys/class/net/eth0/address',
    '/run/secrets/db',
    '/var/lib/mlocate/mlocate.db',
    '~root/.bashrc',
    '/opt/tomcat/conf/server.xml',
    '/dev/random',
    '/dev/stdin',
    'C:\\Users\\Administrator\\NTUser.dat',
    '//192.0.2.9/c$/x',
    '/tmp/sess_4f8a',
    '../../app/config/parameters.yml',
    '..%e2%88%95..%e2%88%95etc/passwd',
    'C:\\Windows\\System32\\drivers\\etc\\hosts',
    '/var/log/nginx/access.log',
  ]);

  passes([
    '/etc/profile is automatically read; copy the default /etc/passwd first',
    'how to edit /etc/hosts on a Mac',
    'What does etc/passwd contain? asked the student',
    'etc/passwd.txt',
    'http://example.com/readme.txt?v=1',
    'file:///C:/Users/john/Desktop/index.html',
    'C:\\Windows\\System32\\svchost.exe',
    '/opt/app/lib.so',
    '10⁄2 and 1∕2',
    'settings.json',
    'Cron: 0 3 * * * /usr/local/bin/backup >> /var/log/backup.log 2>&1',
    'the file C:\\Windows\\System32\\drivers\\etc\\hosts is read-only unless Notepad runs as admin',
  ]);

  // what mentions a file goes on blaming where no sentence stands around it
  blocks('path_traversal', [
    '"/etc/passwd"',
    '(/etc/shadow)',
    '<INCLUDE>/etc/passwd</INCLUDE>',
    'x="/etc/pass"wd',
    '/etc/p"asswd"',
    '[x](../../../../../etc/passwd)',
    '<a href="../../../../WEB-INF/web.xml">',
    '文件../../../etc/passwd',
    'file://x',
    "'file://./etc/passwd'",
    '../config.php',
    '../proc/self/maps',
  ]);

  // manuals in other languages, titles, and links between pages
  passes([
    '用户信息保存在 /etc/passwd 文件里',
    'Ändringar i /etc/network/interfaces filen',
    'Содержится в файле /etc/shadow, и только',
    'local clones ignore it; use file:// instead',
    'Only local addresses work (file://).',
    '<a href="../proc_macro/struct.TokenStream.html">the input</a>',
    '<li><a href="../reference/config.html#alias">aliases</a></li>',
  ]);
  passesWritten([
    '在/etc/passwd里可以使用这些条目',
    'すべての利用者は（/etc/passwd）にあります',
    '/etc/group and /etc/gshadow are kept',
    'listes:\n\n\n/etc/hosts\n\n',
    '/etc/os-release 与 /usr/lib/os-release',
    '<em>编辑</em> /etc/inetd.conf',
    '/var/log/wtmp - az előző bejelentkezések listája',
    '/etc/passwd - informace o uživatelských účtech',
    'Formatos de arquivo, ex.: /etc/passwd ou outros',
    'Edit "/etc/passwd" and make the second entry empty',
    '<p>Update the <strong>/etc/security/limits.conf</strong> file</p>',
    'dacă nu are, se folosește ~/.bash_history.',
    '<p>Redirecting to <a href="../../../reference/items.html">items</a></p>',
    'See [the items](../../../reference/items.md#associated) there',
    '<p><a href="../../../std/os/index.html">../../../std/os/index.html</a></p>',
    'the path is C:\\Windows\\System32\\drivers\\etc\\hosts',
    'See `/etc/passwd` 文件',
    'Salt &amp; pepper: /etc/hosts and /etc/fstab hold lines',
  ]);

  // words around a path excuse nothing where nobody writes, and a quote only what it opened
  blocks('path_traversal', [
    '127.0.0.1;pr "/etc/passwd" and that',
    ';fold "/etc/shadow" ab cd',
    ";fold '/etc/passwd' файл",
    'include ab cd "/etc/passwd" ab cd',
    '/etc/passwd x /etc/shadow',
    '/etc/passwd,файл',
    '/etc/passwd и т',
    '/etc/passwd - aa bb',
    '<b>/etc/passwd',
    'файл/etc/passwd',
    '«/etc/passwd',
    '[x](../../../../admin/secret.html)',
  ]);
  const written = (text: string) =>
    inspect(
      compilePolicy({ securityLevel: 'medium', categories: choices('medium') }),
      post('application/x-www-form-urlencoded', `comment=${encodeURIComponent(text)}`),
    ).decision;
  test.each([
    '127.0.0.1;pr "/etc/passwd" and that',
    ';fold "/etc/shadow" ab cd',
    ";fold '/etc/passwd' файл",
    '"/etc/passwd" and that',
    '/etc/passwd x /etc/shadow',
    '`pr "/etc/passwd" and that`',
  ])('a comment that holds no more than a command or a path is blamed: %s', (text) =>
    expect(written(text)).toBe('block'),
  );

  const target = (at: string) => request({ target: at });
  const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });

  test.each([
    '/tag/Wait...%20what%3F',
    '/tag/so%20it%20was..%E2%80%A6',
    '/tag/%5Balt...%5D%20x',
    '/tag/...%D0%BB',
  ])('a title that trails off is no way up: %s', (at) =>
    expect(inspect(policy, target(at)).decision).toBe('pass'),
  );

  test.each([
    '/a/..%2fetc/hosts',
    '/a..%2fx',
    '/a..%5cx',
    '/a..%20/x',
    '/..%20x',
    '/a..%252fx',
    '/a/..%3b/x',
    '/a..%c0%afx',
    '/a..%ef%bc%8fx',
    '/a..%e2%88%95x',
    '/a/..%00/x',
    '/...%2fx',
    '/...%5cx',
    '/static/....//....//secret.txt',
    '/static/..././..././secret.txt',
  ])('a way up stays one however its separator is spelled: %s', (at) =>
    expect(inspect(policy, target(at)).decision).toBe('block'),
  );
});

describe('path_traversal, what scanners ask for and what projects hold', () => {
  blocks('path_traversal', [
    '/usr/local/lib/php/pearcmd.php',
    '/usr/share/php/PEAR/pearcmd.php',
    'a/..0x2f..0x2fetc0x2fpasswd',
    'a/../etc/passwd',
    '../etc/config.yml',
    'C:\\Windows\\System32\\config\\SAM',
    'x=C:\\Windows\\win.ini',
  ]);
  passes([
    'src/../etc/rules.yml',
    'lib/../etc/index.ts',
    'see /usr/share/php/PEAR/Mail.php',
    'colours 0x2f..0x3f',
  ]);

  const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });

  test.each([
    '/terraform.tfstate',
    '/prod.tfvars',
    '/vendor/composer/installed.json',
    '/elmah.axd',
    '/phpMyAdmin-5.1.1/setup/index.php',
    '/pma/phpmyadmin/scripts/setup.php',
    '/alfacgiapi/perl.alfa',
  ])('blocks the probe %s', (target) => {
    expect(inspect(policy, request({ target })).decision).toBe('block');
  });
  test.each([
    '/states/acme/terraform.tfstate',
    '/acme/web/blob/main/prod.tfvars',
    '/api/composer/installed.json',
    '/help/elmah.axd.html',
    '/phpmyadmin/index.php?route=/import',
    '/setup/index.php',
  ])('passes the address %s', (target) => {
    expect(inspect(policy, request({ target })).decision).toBe('pass');
  });
});
