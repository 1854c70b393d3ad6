import { describe, expect, test } from 'vitest';
import { compilePolicy, inspect } from '../../inspect/index.ts';
import { blocks, passes } from '../../testing/payloads.ts';
import { choices, post } from '../../testing/requests.ts';

describe('xxe', () => {
  blocks('xxe', [
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://x.example/x.dtd"> %x;]>',
    '<!DOCTYPE a PUBLIC "x" "http://x.example/x.dtd">',
    '<!DOCTYPE a SYSTEM "http://x.example/x.dtd">',
    '<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;">]>',
    '<xi:include href="file:///etc/passwd" parse="text"/>',
    '<!ENTITY % a "<!ENTITY &#x25; b SYSTEM \'file:///x\'>">',
    '<xsl:value-of select="document(\'/etc/passwd\')"/>',
  ]);
  passes([
    '<!DOCTYPE html>',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '<a>b</a>',
    'entity system',
    '<?xml version="1.0"?><note>hi</note>',
  ]);

  test('in a body of XML, also in UTF-16', () => {
    const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium', ['xxe']) });
    const document = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
    expect(inspect(policy, post('application/xml', document)).decision).toBe('block');
    const wide = Buffer.from(`\ufeff${document}`, 'utf16le').toString('latin1');
    expect(inspect(policy, post('application/xml', wide)).decision).toBe('block');
    expect(inspect(policy, post('text/plain', document)).decision).toBe('block');
    // Most of it in another script: the mark says what it is, whatever it holds.
    const padded = Buffer.from(`\ufeff${document}<!--${'水'.repeat(300)}-->`, 'utf16le').toString('latin1');
    expect(inspect(policy, post('application/xml', padded)).decision).toBe('block');
  });

  test.each(['little', 'big'])('in an uploaded file of UTF-16, %s end first', (end) => {
    const policy = compilePolicy({ securityLevel: 'medium', categories: choices('medium', ['xxe']) });
    const document = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';
    const bytes = Buffer.from(`\ufeff${document}<!--${'水'.repeat(300)}-->`, 'utf16le');
    if (end === 'big') bytes.swap16();
    const head = 'Content-Disposition: form-data; name="f"; filename="a.xml"\r\nContent-Type: text/xml';
    const body = `--b\r\n${head}\r\n\r\n${bytes.toString('latin1')}\r\n--b--\r\n`;
    expect(inspect(policy, post('multipart/form-data; boundary=b', body)).decision).toBe('block');
  });
});
