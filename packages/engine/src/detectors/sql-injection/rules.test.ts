import { describe, expect, test } from 'vitest';
import { policyOf } from '../../../../../benchmarks/traffic/policies.ts';
import { inspect } from '../../index.ts';
import { blocks, passes } from '../../testing/payloads.ts';
import { post } from '../../testing/requests.ts';

describe('sql_injection', () => {
  blocks('sql_injection', [
    // conditions, in every quoting and dialect
    "' or '1'='1",
    "' or 1=1--",
    '" or ""="',
    "') or ('1'='1",
    "1' or '1'='1' #",
    "admin' or '1'='1'/*",
    "' || '1'='1",
    "' && 1=1 #",
    "x' and 1=2 -- -",
    '1 or 1=1',
    '1 AND 1=2',
    '-1 or 2>1',
    '1 or true',
    "1' or not 1=2-- ",
    "1' xor 1=1#",
    "' or 'x' like 'x",
    '1 and 1 in (1)',
    "' or 1 between 0 and 2--",
    '1) or (1=1',
    '1)) and ((1=1',
    "' or 1 is not null--",
    "a' or 'a'='a",
    "1'/**/or/**/'1'='1",
    "1'%0bor%0b1=1#",
    "'or'1'='1",
    "'=''or'",
    "1'or(1)=(1)#",
    '1||1=1',
    "'or 1=1 limit 1 -- -+",
    "' or username is not null--",
    "1' and ascii(substr(database(),1,1))>64#",
    '1 and length(database())=8',
    "' and substring(version(),1,1)='5",
    // ends of statements
    "admin'--",
    "admin' #",
    "admin')--",
    "admin'/*",
    '1" -- ',
    // unions
    "1' union select 1,2,3-- ",
    '-1 UNION ALL SELECT NULL,NULL,NULL--',
    "1'/**/uNiOn/**/sElEcT/**/1,2",
    "1'+UnIoN+SeLeCt+user(),2#",
    '0 union(select(1),2,3)',
    '1 union select@@version',
    "' union select password from users where '1'='1",
    '1e0union select 1',
    "1' union distinct select 1,table_name from information_schema.tables#",
    '%27%20union%20select%201',
    '1/*!50000union*//*!50000select*/1,2',
    "' UNION SELECT 1,load_file('/etc/hosts')#",
    // statements
    'SELECT @@version',
    'select version()',
    'SELECT * FROM users WHERE id=1',
    'select * from users',
    "INSERT INTO users (a) VALUES ('x')",
    'DELETE FROM users WHERE 1=1',
    'UPDATE users SET admin=1 WHERE id=2',
    'DROP TABLE users;--',
    '1; DROP TABLE users',
    "1';insert into users values(1,'x')--",
    "1; exec xp_cmdshell 'dir'",
    "';exec master..xp_dirtree '//x/a'--",
    "1;declare @q varchar(99);set @q='x';exec(@q)--",
    // time, errors, files, the outside
    '1 and sleep(5)',
    "1' and sleep(5)#",
    'sleep(5)#',
    "1'-sleep(5)-'",
    'if(now()=sysdate(),sleep(5),0)',
    "0'XOR(if(now()=sysdate(),sleep(5),0))XOR'Z",
    '(select(0)from(select(sleep(5)))v)',
    "1;waitfor delay '0:0:5'--",
    "'; WAITFOR DELAY '0:0:5'--",
    '1) and benchmark(5000000,md5(1))#',
    "';select pg_sleep(5)--",
    '1||pg_sleep(5)--',
    '1 and 1=(select 1 from pg_sleep(5))',
    "' and 1=dbms_pipe.receive_message('a',5)--",
    '1 and extractvalue(1,concat(0x7e,version()))',
    "1' and updatexml(1,concat(0x7e,(select user())),1)#",
    "' and 1=cast((select version()) as int)--",
    "' and 1=convert(int,@@version)--",
    '1 procedure analyse(extractvalue(rand(),concat(0x3a,version())),1)',
    "' || utl_http.request('http://x/')--",
    "' || (select utl_inaddr.get_host_address('x') from dual)||'",
    "' into outfile '/var/www/x.php'#",
    '1 and (select 1 from(select count(*),concat(version(),floor(rand(0)*2))x from information_schema.tables group by x)a)',
    '1 and exists(select 1 from users)',
    "copy users to program 'id'; select 1",
    "';copy (select '') to program 'nslookup x'--",
    // clauses
    "1' order by 10--",
    '1 order by 5',
    "' group by 1 having 1=1--",
    "1' having 1=1--",
    '1 limit 1,1 union select 1',
    "1' and (select case when (1=1) then 1 else 0 end)=1--",
    'case when 1=1 then 1 else 0 end',
    'iif(1=1,sleep(5),0) or 1=1',
    // strings put together
    "'||(select 1)||'",
    "'+(select top 1 name from sysobjects)+'",
    "' and char(65)=char(65)--",
    'concat(0x7e,version(),0x7e) union select 1',
    "1' and (select * from (select(sleep(5)))a)-- -",
    '1 rlike (select (case when (1=1) then 1 else 0x28 end))',
    '1 and row(1,1)>(select count(*),concat(version(),0x3a) from mysql.user)',
    '1 and json_keys((select convert((select version()) using utf8)))',
    // NoSQL
    "' || this.password.match(/^a/)//",
    "'; return true; var x='",
    '{"$gt":""}',
    '{"$where":"sleep(1000)"}',
    "' || '1'=='1",
    '{$ne: 1}',
  ]);

  passes([
    'union was a great select',
    'zsh is the best!',
    "it's a trap",
    "O'Reilly and O'Brien",
    "rock 'n' roll",
    "don't select all or nothing",
    'select a color from the list',
    'Please select one and update your profile',
    'the student union select committee',
    'order by phone',
    'group by name',
    'drop the table at my house',
    'insert coin into machine',
    'delete from cart',
    'update your settings',
    '5 or 6 people',
    '1 and 2',
    "the boys' or girls' team",
    'C++ && Java || Python',
    'x=1;y=2',
    'a -- b',
    "it's #1",
    "'quoted' and 'quoted'",
    'price > 5 and price < 10',
    'SELECT',
    'information',
    'like it or not',
    "l'été et l'automne",
    'sleep (8 hours) is good',
    'and then there were none',
    'having fun',
    'null',
    'true or false',
    "I'd rather sleep; you'd rather not",
    '100% cotton or wool',
    'user (admin)',
    'count(items)',
    'version 2.0 (stable)',
    'case when in doubt',
    "what's new in version 5 -- and why",
    '2020-01-01 or later',
    'a || b',
    "'",
    '"',
    '--',
    '1=1',
    "can't and won't",
    'top 10 tables from ikea',
    'exec summary',
    'declare war',
    'the best of both worlds: union and intersect',
    'where are you from',
    'from x to y where z',
  ]);
});

describe('sql_injection, a word of command and an apostrophe', () => {
  blocks('sql_injection', ["1; exec master..xp_cmdshell 'dir'", "1;exec sp_who 'x'", "1;exec proc'x'"]);
  passes(["/exec it's me; or not", "exec they'll see; fine"]);
});

describe('sql_injection, tails behind a name and what only a database reads', () => {
  blocks('sql_injection', [
    'category having 1=1--',
    'p.name having 2>1-- -',
    '1 into @a',
    '1 into @a,@b,@c',
    '1; CALL shutdown--',
    "1'; call stop_all#",
    `1 or data @> '{"admin":true}'`,
    `x') or tags <@ '["a"]'--`,
  ]);
  passes([
    'rooms having 2 windows',
    'households having more than 1 car',
    '1 into 2 is half',
    'turn 1 into bob@example.com',
    '; call me back',
    '; call shutdown procedures',
    'arrows such as @> and <@',
    "mail me @> 'home'",
    '"sleep(8) hours is a must"',
  ]);
  blocks('sql_injection', ['"sleep(8)#', "' or sleep(8) and '1'='1", '" and sleep(5) or "']);
});

describe('sql_injection, an operator that a sentence names', () => {
  const sentences = [
    'what is the meaning of "or" in boolean logic',
    'what does "and" mean in english',
    `it must have ' or " or ; in it`,
  ];
  passes(sentences);
  test.each([...sentences, `aa ' or ' bb`, `aa 'or' bb`])(
    '%s: nobody writes it where one signs in',
    (sentence) => {
      const policy = policyOf('medium');
      for (const name of ['username', 'password', 'pin', 'name', 'category', 'x']) {
        const form = post('application/x-www-form-urlencoded', `${name}=${encodeURIComponent(sentence)}`);
        expect(inspect(policy, form).decision, name).toBe('block');
      }
    },
  );
  blocks('sql_injection', [`x' or "1`, `a "or" 1`, `admin ' or ' 1=1`, `what "or" 1=1 --`]);
});
