import { describe } from 'vitest';
import { blocks, passes } from '../testing/payloads.ts';

/** Values of a few signs whose form alone tells: nothing but a probe is written so. */
describe('short fragments', () => {
  blocks('sql_injection', [
    "' or ''-'",
    "' or '' '",
    "x' or ''^'",
    "'or select *",
    "' or (EXISTS(select 1))",
    '--sp_password',
    'or true--',
    ') or false#',
    'HAVING 1=0--',
    "'^(1)^'",
    '"||(1)||"',
    'IF(1=1) SELECT 1 ELSE DROP TABLE x--',
  ]);
  blocks('xss', ['"><h1>test', "'/><b>x</b>", '">"\'><s>', '<plaintext>', '"><xmp>', '"><!--']);
  blocks('command_injection', [
    'a;id',
    'a|id;',
    'x;ls',
    '&dir',
    '\\nid\\n',
    '%n%n%n%n',
    '%1$s%2$s%3$n%4$x',
    '%.1024d',
    'a{{bar}}b',
    'a{% comment %}b',
    'a{*comment*}b',
    'a{#comment#}b',
  ]);
  blocks('path_traversal', [
    '/etc/bashrc',
    '/etc/syslog.conf',
    '/etc/logrotate.d/ftp',
    '/root/.bashrc',
    '/home/anna/.bashrc',
    '/proc/cmdline',
    '..\0/',
    '0x2e0x2e0x2f',
  ]);
  blocks('xxe', ['<!DOCTYPE foo [<!ELEMENT foo ANY >']);

  passes([
    "'' or '-'",
    "5' or 6'",
    'true or false -- which is it?',
    'having 2 kids',
    'spouse or select guests',
    'width > 3 and <b>bold</b>',
    '"quoted" > <anything>',
    'an "a>b" comparison',
    'id;name',
    'users;id',
    'b;c;d',
    'R&D directory',
    'r & dir',
    '%d.%m.%Y',
    '%s of %s',
    '100%n',
    '%Y%m%d',
    'v{{version}}',
    'item{{id}}.html',
    '{% comment %}',
    'a{b}c',
    '/etc/designs/site/clientlibs.js',
    '/etc/tags/season',
    '/products/etc/x.conf',
    '0x2e',
    'wait..',
    '<!DOCTYPE html>',
  ]);
});
