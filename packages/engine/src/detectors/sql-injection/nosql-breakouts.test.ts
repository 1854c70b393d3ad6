import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

/** Each changed which documents a matcher of MongoDB's operators finds, or what `$where` answers when JavaScript runs it. */
describe('sql_injection, what leaves a string of a NoSQL query', () => {
  blocks('sql_injection', [
    "x' || this['token']||'1'=='1",
    "admin'|| this['token'] //x",
    "x'in{}||1==1||'",
    "admin'in{}||new Date()||'",
    "admin',(()=>true)(),'a",
    "',this.pass.length>2,'a",
    "x' ||JSON.stringify(this)||'",
    '"in{}||true||"',
    "admin'  || true+'",
    "'||!0+'",
    '99|| new Date()',
    "99||this['pass']",
    "x';if(this.role=='root')return true;//",
    'admin","$and":[{}],"zz":"',
    'x","pass":{"$type":2},"name":"admin',
    'x", "pass":"y", "name":{"$not":{"$size":3}},"$comment":"',
  ]);
  passes([
    "x', true, 'a",
    "5',10', 'tall'",
    "let a = 'x' + this.name;",
    "it's true || false",
    'yes || no',
    '1, this one',
    '99, new dates',
    'a", "b": {"c": 1}, "d": "e',
    '{"$type":"app.bsky.feed.post","text":"hello"}',
    'filter[title][contains]=x',
    '{"query":{"bool":{"must":[{"match":{"title":"x"}}]}}}',
    "$filter=name eq 'x' and price gt 5",
    'or=(age.lt.18,age.gt.21)',
  ]);
});
