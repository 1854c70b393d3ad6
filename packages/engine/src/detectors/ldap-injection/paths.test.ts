import { describe } from 'vitest';
import { blocks, passes } from '../../testing/payloads.ts';

describe('ldap_injection, XPath and nested filters', () => {
  // conditions of XPath, filters in filters
  blocks('ldap_injection', [
    'admin*)((|userPassword=*)',
    "']/../*",
    "') or contains(.,'a') or ('",
    "//user[name/text()='a' or '1'='1']",
    "substring(//user[1]/password,1,1)='a'",
    "' or not(//x) or '",
    "' or /* or '",
  ]);

  passes([
    '//*[@id="floor-www-index_558"]/div[2]',
    '(a) or (b) and (c)',
    "it's not (really) true",
    "contains(Name,'o''b')",
  ]);
});
