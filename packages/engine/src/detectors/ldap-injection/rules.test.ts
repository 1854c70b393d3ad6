import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

describe('ldap_injection', () => {
  blocks('ldap_injection', [
    '*)(uid=*))(|(uid=*',
    'admin)(&)',
    '*)(objectClass=*',
    'x)(|(password=*))',
    '(&(uid=a)(password=b))',
    '*))%00',
    'admin)(!(&(1=0',
    "' or count(/*)=1 or 'a'='b",
    "x'] | //user/*[contains(*,'",
    "' or position()=1 or ''='",
    '*)(mail=*)',
    "x' or self::user='a",
    '//a[parent::b]',
    '1 or self::node()',
    'x/descendant::password',
  ]);
  passes([
    '(a) (b)',
    'f(x)(y)',
    'smile :)',
    '(see note) (and more)',
    'a * (b + c)',
    'price (net)',
    '//*[@id="main"]/div[1]',
    '5 * (2)',
    'foo(bar)(baz)',
    'x=(1)(2)',
    'you will have `pub use self::Hidden as InlinedHidden;` there',
    'each <code>Self::Item</code> calls parent::boot() first',
  ]);
});

describe('an XPath function over a document, without a quote', () => {
  blocks('ldap_injection', ['1 or string-length(//user[1]/password)>5', '1 and substring(//a/b,1,1)=char']);
  passes(['string-length(name) > 5', 'see string-length(//) in the docs']);
});

describe('an expression of XQuery', () => {
  blocks('ldap_injection', [
    'for $x in doc("/db/users.xml")//u return $x',
    'let $d := collection("x") return $d//pw',
  ]);
  passes(['for $x in list return $x', 'let me return the doc(s)']);
});
