import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

describe('command_injection, how commands are spelled', () => {
  // shells of Unix: substitutions, options, loops, redirections
  blocks('command_injection', [
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
  ]);
});
