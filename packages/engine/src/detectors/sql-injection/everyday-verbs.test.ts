import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

describe('sql_injection, second statements whose verbs are words of everyday', () => {
  blocks('sql_injection', [
    '1; if 1=1 then select pg_sleep(5); end if',
    "1; if user='x' then delete from items; end if",
    '1; begin; delete from items; commit',
    '1; begin; update items set price=0; commit',
    '1; create rule r as on insert to items do also notify x',
    '1; create domain d as text',
    '1; alter domain d drop not null',
    '1; create operator === (leftarg=int)',
    '1; delete from only items;',
    '1; delete u from users u where 1=1',
    '1; delete users from users--',
    '1; insert ignore into items values (1)',
    "1; insert ignore items (a) values ('x')",
    "1; values (1,'x')--",
    '1; show tables',
    '1; show columns from users;--',
    '1; set @q=0x73656c656374; prepare s from @q',
    "1; set @a = 'x'",
    '1; use mysql --',
    '1; explain delete from items',
    '1; explain select * from items',
    "1; do 'begin perform pg_sleep(5); end'",
  ]);
  passes([
    'Please pack the boxes; if you can then call me',
    'Ring twice; if nobody answers then call us',
    'For sale; if you do, then call me',
    'Hours: Mon; if closed then call the office (555-1234)',
    'if a then b; if x then select y',
    'Hi; delete items from cart',
    'please; delete from only cart',
    'Sorry; delete mail from inbox;',
    'Then; create domain foo',
    'Then; create rule x',
    'Plan; alter domain names',
    'hello; create operator manual',
    'abc; begin; delete the rest',
    'x; begin; update docs',
    '; insert ignore me (please)',
    'Our values; values (love, honour); trust',
    'Mission; Values (Integrity, Trust)',
    'Bring food; show tables; chairs',
    'ok; show tables in the hall',
    'Contents; show columns A',
    'Follow us; set @shop = fun',
    '; use it --',
    'please; explain delete options',
    'explain; explain select items',
    "do 'select' boxes; do 'insert' things",
  ]);

  // what programs, sheets and reports hold as well
  blocks('sql_injection', [
    'version()::int',
    '(select 1)::int',
    "1,repeat('a',1000000000)",
    "1 and lpad(x,100000000,'0')",
    "admin'#a",
    "x' or id-- ",
  ]);
  passes([
    'f(a)::int',
    'vec()::text',
    '(price * 2)::numeric',
    "repeat('-', 10000000)",
    "lpad(x, 100000, '0')",
    "john'#a",
    "Love' or hate -- ",
  ]);
});
