import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { blocks, passes } from '../../testing/payloads.ts';
import { choices, request } from '../../testing/requests.ts';

describe('path_traversal', () => {
  blocks('path_traversal', [
    '../../../etc/passwd',
    '..\\..\\..\\windows\\win.ini',
    '....//....//....//etc/passwd',
    '..%2f..%2f..%2fetc%2fpasswd',
    '%252e%252e%252fetc%252fpasswd',
    '..%c0%af..%c0%afetc/passwd',
    '%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd',
    '/etc/passwd',
    '/etc/shadow',
    'file:///etc/passwd',
    '/proc/self/environ',
    '/var/log/apache2/access.log',
    'C:\\boot.ini',
    'c:/windows/win.ini',
    '..;/..;/..;/manager/html',
    '/etc/passwd%00.jpg',
    '../../WEB-INF/web.xml',
    'WEB-INF/web.xml',
    'php://filter/convert.base64-encode/resource=index.php',
    'php://input',
    'data:text/plain;base64,PD9waHAgcGhwaW5mbygpOz8+',
    'expect://id',
    'zip://x.zip%23a',
    'http://x.example/shell.txt?',
    'http://x.example/r57.txt',
    '/././././etc/passwd',
    '//etc//passwd',
    '/etc/./passwd',
    '.../.../.../etc/passwd',
    '../../../../../../../../etc/hosts',
    '..\\..\\..\\..\\boot.ini',
    '/home/user/.ssh/id_rsa',
    '../../.env',
    '../config.php',
    '../../wp-config.php',
    "/e'tc'/pass''wd",
    '/etc/p?sswd',
    '....\\/....\\/....\\/etc/passwd',
    'jar:file:///x.jar!/a',
    '/usr/local/apache/conf/httpd.conf'.replace('/usr/local/apache/conf', '../../../apache2'),
  ]);

  passes([
    '../images/logo.png',
    '../../assets/app.js',
    './a/b',
    'a/../b',
    '/home',
    '/etc',
    'etc.',
    'the passwd command',
    'https://example.com/a/b.txt',
    'https://example.com/index.php?x=1',
    '1...5',
    'wait... what',
    'C:\\Users\\me\\Documents',
    'file',
    'profile.php',
    'windows update',
    '/var',
    'path/to/file.ini',
    'my.env',
    'config',
    'php://',
    '...',
    '../',
    'etc/apt',
    'a/b/c/d.conf',
    'https://cdn.example.com/x.zip',
  ]);

  const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });
  const decide = (target: string) => inspect(policy, request({ target })).decision;

  test.each([
    '/../../etc/passwd',
    '/static/%2e%2e/%2e%2e/etc/passwd',
    '/cgi-bin/.%2e/.%2e/bin/sh',
    '/.git/config',
    '/.env',
    '/.svn/entries',
    '/wp-config.php.bak',
    '/backup.sql',
    '/db.sql.gz',
    '/.aws/credentials',
    '/actuator/env',
    '/vendor/phpunit/phpunit/src/Util/PHP/eval-stdin.php',
    '/_ignition/execute-solution',
    '/.DS_Store',
    '/server-status',
    '/solr/admin/cores',
    '/invoker/JMXInvokerServlet',
    '/manager/html',
    '/phpinfo.php',
    '/.ssh/id_rsa',
    '/WEB-INF/web.xml',
    '/.htpasswd',
    '/web.config',
    '/a/b/..;/manager/html',
  ])('blocks the path %s', (target) => expect(decide(target)).toBe('block'));

  test.each([
    '/',
    '/index.php',
    '/a/b/c.html',
    '/images/logo..png',
    '/static/app.min.js',
    '/wp-content/uploads/a.jpg',
    '/environment',
    '/git/repo',
    '/backup',
    '/config',
    '/@scope/pkg@1.0.0/lib/a.js',
    '/a;v=1/b',
    '/.well-known/acme-challenge/x',
    '/api/v1/users',
    '/~user/',
    '/a%20b',
    '/cgi-bin/r.cgi',
    '/%E4%B8%AD%E6%96%87',
    '/healthz',
    '/docs/etc/index.html',
    '/sitemap.xml',
    '/robots.txt',
    '/favicon.ico',
  ])('passes the path %s', (target) => expect(decide(target)).toBe('pass'));
});

describe('pages of products with well-known holes', () => {
  const decide = (path: string) =>
    inspect(
      compilePolicy({ securityLevel: 'medium', categories: choices('medium') }),
      request({ target: path }),
    ).decision;

  test.each([
    '/mifs/aad/api/v2/authorized/users?adminDeviceSpaceId=1',
    '/php/ztp_gate.php/.js.map',
    '/esp/cms_changeDeviceContext.esp?device=a',
    '/RestAPI/LogonCustomization?methodToCall=x',
    '/CTCWebService/CTCWebServiceBean/ConfigServlet',
    '/developmentserver/metadatauploader?CONTENTTYPE=MODEL',
    '/OA_HTML/BneUploaderService',
    '/OA_HTML/configurator/UiServlet',
    '/cfide/adminapi/accessmanager.cfc',
    '/_layouts/15/ToolPane.aspx?DisplayMode=Edit',
    '/aspnet_client/system_web/x.aspx',
    '/ajax/render/widget_tabbedcontainer_tab_panel',
    '/ws/v1/cluster/apps/new-application',
    '/GponForm/diag_Form?images/',
    '/hedwig.cgi',
    '/cgi-bin/luci/;stok=/locale?form=country',
    '/SDK/webLanguage',
    '/exports/wwwroot.bak',
    '/attachments/dump.sql',
  ])('%s', (path) => {
    expect(decide(path)).toBe('block');
  });

  test.each([
    '/cgi-bin/luci/admin/network/diagnostics',
    '/account/exports/backup-2024-11-20.zip',
    '/releases/db-1.2.zip',
    '/assets/app.js.map',
    '/_layouts/15/start.aspx',
    '/docs/aspnet_client/',
    '/api/v1/submissions',
    '/news/board.html',
    '/users/mifs/profile',
    '/restapi/v2/users',
    '/api/forms/v1/submissions/create',
    '/bbs/board.cgi?id=3',
    '/api/system/configurationFile',
    '/docs/sdk/weblanguage',
    '/callback?local_access_token=x',
  ])('%s is none', (path) => {
    expect(decide(path)).toBe('pass');
  });

  test('a backup where no application has made it for its user is one left behind', () => {
    expect(decide('/backup-2024-11-20.zip')).toBe('block');
    expect(decide('/files/db.zip')).toBe('block');
  });

  test('what the parts of a product tell each other', () => {
    const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });
    const asked = (value: string) => ({
      ...request({ target: '/php/login.php' }),
      headers: [['x-pan-authcheck', value]] as const,
    });
    expect(inspect(policy, asked('off')).decision).toBe('block');
    expect(inspect(policy, asked('on')).decision).toBe('pass');
  });
});
