import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

/** Each changed what a filter or a path selects, as an evaluator of filters and libxml2 read them. */
describe('ldap_injection, what selects more', () => {
  blocks('ldap_injection', [
    ')(dept<=K*',
    'bob)(dept=K*',
    'bob)  (dept<=K*',
    'x)(pass:dn:=*',
    'bob)(secretKey>=a*',
    'adm\\69n)(mail:caseIgnoreMatch:=a',
    'a*)(mail:dn:=*))(secretKey=admin',
    '99 or true()',
    '0\nor\nnot(false())',
    "0  or  contains(.,'s')",
    '1\tor\tstring-length(//key)=3',
    '99 or ../user',
    '1]|name|//key|//x[1',
    '0]|//key|//x[1',
    "' or . or '",
    'x" or @id or "',
    "nobody') or @* or not('a",
    "') or name or not('a",
    "admin') and role or contains(name,'a",
    "x')\tor\tnumber(@id)\tor\tcontains(name,'",
    "']\n|//key|//user[name='",
    "nobody']|  //*['a'='a",
    "x'\nor\nname(/*)='users'\nand\n'1'='1",
  ]);
  passes([
    'Smith (Bob) (dept: sales)',
    'see f(x)(y = 1)',
    'R&D (see A & B) (x=1)',
    'a) b=1 (c=2',
    'a[href="x"], input[name=\'q\']',
    '[data-id="1"] > *',
    'src/**/*.{ts,tsx}',
    '*.(js|css)',
    '1 or 2 (or 3)',
    '1 and all the others',
    'filter[name][eq]=1|2',
    "ne 'x' or 'y' and (z)",
    "name eq 'a' and contains(title,'b')",
    "$filter=contains(name,'x') or startswith(name,'y')",
    "'yes' or * or 'no'",
    'a|b|c',
    '3] | see below',
  ]);
});
