import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../inspect/index.ts';
import { blocks, passes } from '../testing/payloads.ts';
import { choices, post } from '../testing/requests.ts';

/** What chance writes into passwords and bytes, beside the shortest that works: the two differ by what stands with them. */
const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium') });
const given = (name: string, value: string) =>
  inspect(policy, post('application/x-www-form-urlencoded', `user=anna&${name}=${encodeURIComponent(value)}`))
    .decision;

test('a password that ends as the shortest probe does is one; in other fields, or with more behind, it is a probe', () => {
  const password = 'MgyD7V6IP;w#';
  for (const name of [
    'password',
    'user[password]',
    'new_password',
    'passwd',
    'pwd',
    'client_secret',
    'access_token',
  ])
    expect(given(name, password)).toBe('pass');
  expect(given('host', password)).toBe('block');
  for (const probe of ['x;id#', 'anna;id#', 'Mg7yV6IPx;whoami;#', 'Mg7yV6IPx;id -a#', 'a7b6c5d4e;ls /#'])
    expect([probe, given('password', probe)]).toEqual([probe, 'block']);
});

describe('what chance writes', () => {
  passes([
    'vC8F);W)Z~.T|8%T=($,7#iQ',
    'x^2|W&jZ.&rI8K',
    'v`VI;r?:-LU=AN(3Yb:?Q-6_',
    'nA)3Al17&[&d11/YL@rN`w',
    'GyDBu1\\p73`at',
    'u8k;w<C>X1',
    'i5s&N^M&%a7OEKHlQ',
    'nc>[J1m?-M^G+[5@d',
    'tqZCev1$ifsWdwUa2#Cnf',
    '2iEK%95$((3N',
  ]);
  blocks('command_injection', [
    '1;w',
    '1|w',
    '`w`',
    '$(w)',
    'x`id`',
    'x=`ls>/tmp/a`',
    ';ls</etc/passwd',
    'a;PHP /tmp/x',
    ';DIR C:\\',
    ';ID',
    ';i\\d',
    ';w`u`hoami',
    'x;cat$IFS/etc/passwd',
    '$((7*7))',
  ]);

  passes([
    'LD71),|Y`#P=h8Ff0',
    'lJ%D2d=(#a=D',
    'ObD-#Dk%p57UfHLi@#p=M3V=',
    ':xSC6${#yXeJv-Y`aNS',
    'H${@iYj:]L\\Y%]rCWZv',
    'I0@bTEpeQn3(#dm&',
    "g)m@ex#{'ls1*LL",
    'Y(v#${8*1$K>2sKsRb/&rlj)',
    'H<?$A:E[6C)CT',
    'UW<?@H)we*>N$]%V|;S',
    ';_\\<@bOO#{`#REU-5',
    'luQtn0O6OLjJOzB%x!Nc%',
  ]);
  blocks('command_injection', [
    '(#a=@java.lang.Runtime@getRuntime())',
    '%{(#a=new java.lang.ProcessBuilder("id"))}',
    '%{#context.getClass()}',
    '${#a=1}',
    '%{@java.lang.Runtime@getRuntime()}',
    '${@phpinfo()}',
    "#{'a'.getClass()}",
    '${8*1}',
    '<?$_GET[0]($_GET[1]);',
    '<?@eval($x)',
    '<?$a="system";',
    '#{`id`}',
    '<%=`id`%>',
    '%x!id!',
  ]);

  passes(["rKF~]edBg>ZO'#", 'vf>n]6Ld7"/*VwQ-w$&', "YQk~\\J;JvVvi'='.#T+", 'xp_1Pl3VD.nfVFZE']);
  blocks('sql_injection', [
    "admin'#",
    "anna.meyer+x@shop.example'#",
    "Müller'#",
    "admin')#",
    "admin'/*",
    "a~b!c$'--",
    "'='",
    "1'='1",
    "xp_cmdshell('dir')",
  ]);

  passes([
    'Mvy0"]|"peD"9QTRejs{MK[Q',
    "M9ceeviv']/LIP<}u<QJtKA",
    'K)(!XFxXdeFor$n@Vob',
    ')(qM=1Kj=HgLzQoo)l&%B',
    '*)(3DK88Flnuf7v_^qB',
    'QTH4YF$F*)(&ITb',
  ]);
  blocks('ldap_injection', [
    "x'] | //user/*",
    "']|//password",
    "']/../*",
    'admin)(&)',
    'admin)(!(&(1=0',
    'admin)(role=admin',
    'x)(team=*',
    '*)(&',
    '*)(uid=*',
  ]);

  passes(['jlJ"><r3M?H:mf68']);
  blocks('xss', ['jlJ"><r onx>', '"><!--', '"><s>']);
});
