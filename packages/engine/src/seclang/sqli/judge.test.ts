import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectLinear } from '../../testing/growth.ts';
import { findSqlInjection } from './index.ts';

describe('SQL injection by structure', () => {
  it.each([
    '1234 OR 1=1',
    "-1839' or '1'='1",
    `-1839" or "1"="2`,
    "EmptyValue' and 526=527",
    "foo') UNION ALL select NULL --",
    "foo')waitfor delay'5:0:20'--",
    "1'||(select extractvalue(xmltype('x'),1))",
    'sleep(20)',
    "admin'--",
    '1/*',
    '1; drop table users',
    "1' order by 3--",
    '1 having 1=1',
    '1/*!50000union*/select',
    "x' AND email IS NULL; --",
    'select * from users',
    "'='",
    '1 procedure analyse()',
    '1 and (select 1)=1',
    "1' into outfile '/tmp/x'",
    "' UNI/**/ON SELECT 1 -- ".replace('UNI/**/ON', '/**/union/**/'),
  ])('finds %s', (text) => {
    expect(findSqlInjection(text)).toBeDefined();
  });

  it.each([
    'hello world',
    "it's a nice day",
    "rock 'n' roll",
    'union was a great select',
    "John O'Reilly and sons",
    'select one from the list please',
    '5 and 6',
    "don't worry, it's ok",
    'C# and F# -- nice',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
    'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
    'drop in any time',
    'sexy and 17',
    '(555) 123-4567',
    '',
  ])('leaves %j alone', (text) => {
    expect(findSqlInjection(text)).toBeUndefined();
  });

  it('never throws, and takes time in proportion to the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        findSqlInjection(text);
      }),
    );
    for (const piece of ["'", '(', '/*', "'or'", '1,', 'a.', '@', '-', '0x']) {
      const judge = (size: number) => void findSqlInjection(piece.repeat(size / piece.length));
      expectLinear(judge, [4096, 65_536], piece);
    }
  });
});
