import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

describe('sql_injection, what dialects and contexts add', () => {
  blocks('sql_injection', [
    // arithmetic and comparison on the string that the quote ends
    "' | 1 = 1 --",
    "'^0#",
    "'>0#",
    "1'-'0",
    "1' in (1)#",
    "' and isnull(1/0) --",
    "'or(1)-- -",
    '(1)or(1)=(1)',
    ') or 1=1--',
    "a' or 'x' ~ 'x",
    "' or @@version like '%5%",
    // the application escapes the quote, not the backslash before it
    "\\' or 1=1 --",
    // functions that stand where a number does
    'if(1=1,1,0)',
    '1^if(ascii(mid(user(),1,1))>64,1,0)',
    '1 order by if(1=1,id,name)',
    "1 or get_lock('a',5)",
    '1 and ST_LatFromGeoHash(version())',
    "1 or json_depth('{}')<5",
    // rows and tables joined
    "1' UNION VALUES(1,2,3)--",
    '1 UNION TABLE users',
    '\\Nunion select 1,2',
    '1` and sleep(5) -- -',
    '1` union select 1,2#',
    "1';--\nDROP--\nTABLE--\nusers--\n-- -",
    '1 uni/**/on sel/**/ect 1,2 from users',
    '9) uniunionon selselectect 1,2-- -',
    'null union values row(1,2,3)',
    "1' union -- foo\n select -- bar\n 1,2",
    '1 union#x\nselect#y\n1,2',
    // inside of an INSERT or UPDATE
    "x','admin')--",
    "x', (select version()), 1)#",
    // second statements, verb by verb
    '1;DO SLEEP(5)',
    '; create or replace function f() returns int as $$ begin end $$;--',
    '1; lock tables users write',
    "';LOAD DATA INFILE '/x' INTO TABLE t;--",
    '1;HANDLER users OPEN',
    "1';CREATE TABLE t(a text);--",
    "1;EXEC sp_configure 'show advanced options',1",
    '1;truncate logs--',
    // names that are keywords elsewhere
    "select user from mysql.user where host='localhost'",
    'select/**/database()',
    "a'+char(65)+'b",
  ]);

  passes([
    'Create user guide; drop support for IE; alter plans',
    "Is it 'and' or 'or'? It's \"and/or\"",
    "Table 'shop.orders' doesn't exist",
    'what does && do; (a && b) || (!c)',
    "I'd like to update my address; drop me a line if needed. Insert coin to continue.",
    'exec summary: declare victory; begin now; call me',
    'run the code; execute the plan; kill the noise; load the data; lock the door',
    'union select committee members from all parties',
    'the union values its members (all of them)',
    'uni/**/*.js and se/**/settings.json',
    'null or union values',
    'the key ` on my keyboard; or is it and 1',
    'SELECT your seats FROM the map WHERE available; ORDER BY phone',
    'select a gift from our shop where you can order by mail',
    'INSERT INTO vs SELECT INTO performance',
    'drop table if exists -- is it safe?',
    'EXEC sp_helptext lists the definition. Use DECLARE to define variables.',
    'SELECT id, name FROM items WHERE id = $1',
    'UPDATE or SELECT? # a heading\nSELECT is a word\n-- and this a line',
    'MULTIPOLYGON(((0 0,1 0,1 1,0 0)))',
    "it's -1 degrees; the '90s & '80s",
    "12' x 14' room or 10' x 10'",
    '=IF(A1="x",1,0)',
    "O'Brien, Pat",
    'table-user-index',
    'What\'s an "exec summary"?',
    'the "exec committee" met',
    "db.users.find({ name: 'x' }) returns a cursor",
    "'(1)' or (2)'",
    'if (5 = 5) then select a seat',
  ]);

  // what is told of operators, catalogues and quotations, and what does it
  blocks('sql_injection', [
    "x'='",
    "admin '='",
    "a'||'b",
    'admin" --',
    "1' offset 5--",
    '1;select name from sys.objects',
    '1 union select datname from pg_database.x',
    "1' procedure analyse (extractvalue(1,1),1)-- ",
    'benchmark (1000000,md5(1))',
    '{"$where": "sleep(1)"}',
    'x$where=1',
    'query Q { a } $where: function() { return 1 }',
  ]);

  passes([
    "falta un valor después de '='",
    "label expected after '||'",
    "ups - ugyldig automatisk indsættelse af 'and'!",
    'a picture is worth a ton of code." --',
    "l'offset del carattere è zero",
    'Sys. de fichiers, select one from the list',
    'procfs under /proc/sys.conf from eleblond@init-sys.com',
    "all'OFFSET indicato prima di scrivere i dati",
    'pg_stat_activity.query のために予約するサイズ',
    'ihr pg_database.datallowconn muss wahr sein',
    'processes sysusers.d directory to create system users',
    "getopt fera l'analyse (les options et chaînes)",
    'per second enhancement to Benchmark (documentation)',
    'query Items($order: [items_order_by!], $where: items_bool_exp!) { items(where: $where) { id } }',
  ]);
});

describe('sql_injection, types of PostgreSQL', () => {
  blocks('sql_injection', [
    '1 or true::bool',
    "' or bool 't'--",
    "' or boolean 'true'--",
    "1 and not 'f'::boolean",
    '(now() - created)::text=(select version())::text',
    '(now() - a)::int + (version())::int',
    '(now() - a)::date > (passwd)::date',
    '(now() - created)::date or true',
    '(now() - created)::date is not null or id is not null',
    '(now() - a)::date or b is null',
    '(now() - a)::date order by c',
    '(now() - a)::date limit all',
    '(now() - a)::date asc nulls first',
    '(now() - a)::date in table users',
    '(now() - a)::date and exists table users',
    '(current_date - password)::text',
    '(current_timestamp - ssn)::text collate x',
  ]);
  passes(['is it true::bool or false', "bool 't' or 'f'"]);
});
