import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectLinear } from '../testing/growth.ts';
import { type TransformationName, transformations } from './index.ts';

const cases: readonly [TransformationName, string, string][] = [
  ['urlDecode', 'a%20b+c%2', 'a b c%2'],
  ['urlDecode', '%%41%zz', '%A%zz'],
  ['urlDecodeUni', '%u003cscript%uff1e+%41', '<script> A'],
  ['urlEncode', "a b'", 'a+b%27'],
  ['htmlEntityDecode', '&#106;&#x61;&#0000118a&lt;&Tab;&comma', 'jav' + 'a<\t&comma'],
  ['htmlEntityDecode', '&unknown;&#;&#x;', '&unknown;&#;&#x;'],
  ['jsDecode', String.raw`\x61\u006c\u{0000065}\162\t\q`, 'aler\tq'],
  ['jsDecode', '\\', '\\'],
  ['cssDecode', String.raw`\6a avascript\3A x`, 'javascript:x'],
  ['escapeSeqDecode', String.raw`\x41\102\n\z`, 'AB\n\\z'],
  ['base64Decode', 'PHNjcmlwdD4=junk', '<script>'],
  ['base64DecodeExt', 'PHNj.cmlw\ndD4', '<script>'],
  ['base64Encode', '<script>', 'PHNjcmlwdD4='],
  ['hexDecode', '3c733e4', '<s>'],
  ['hexEncode', '<s>', '3c733e'],
  ['sqlHexDecode', 'a 0x414243 b', 'a ABC b'],
  ['overlongUtf8', '\xc0\xbc\xe0\x80\xaf\xf0\x80\x80\xbc\xc0\x2e', '</<.'],
  ['fullWidth', '\xef\xbc\x9cscript\xef\xbc\x9e\xef\xbd\x81', '<script>a'],
  ['fullWidth', '\xca\xbc\xe2\x80\xb3\xe2\x80\xa5/\xe2\x84\xaa\xc5\xbf', `'"../Ks`],
  ['fullWidth', '\xc2\xa0\xe3\x80\x80\xe2\x80\x83\xe1\x9a\x80', '    '],
  ['fullWidth', '\xf0\x9d\x93\xbc\xe2\x93\xa9\xf0\x9d\x9f\x8e\xef\xb9\xa4', 'sz0<'],
  [
    'fullWidth',
    '\xe2\x80\x99\xe2\x80\x93\xc3\xa9\xe3\x81\x82\xef\xbd\xb1',
    '\xe2\x80\x99\xe2\x80\x93\xc3\xa9\xe3\x81\x82\xef\xbd\xb1',
  ],
  ['utf7Decode', '+ADw-script+AD4-', '<script>'],
  ['utf7Decode', 'C++ADwords', 'C++ADwords'],
  ['utf16Decode', '<\0s\0>\0', '<s>'],
  ['utf8toUnicode', '\xe4\xbd\xa0', '%u4f60'],
  ['normalizePath', '/a/./b//../../../etc/passwd', '/etc/passwd'],
  ['normalizePath', 'a/../../b/', '../b/'],
  ['normalizePathWin', '\\a\\..\\b', '/b'],
  ['cmdLine', `C^at "/e'tc/pa\\sswd";  x`, 'cat/etc/passwd x'],
  ['compressWhitespace', 'a \t\n\xa0b', 'a b'],
  ['removeWhitespace', 'a \t\n\xa0b', 'ab'],
  ['trim', ' \na b\t ', 'a b'],
  ['removeNulls', 'a\0b', 'ab'],
  ['replaceNulls', 'a\0b', 'a b'],
  ['replaceComments', 'un/*x*/ion/* open', 'un ion '],
  ['removeComments', 'a/*b*/c<!--d-->e--f', 'ace'],
  ['removeCommentsChar', 'a/*b*/c', 'abc'],
  ['lowercase', 'AbC\xc4', 'abc\xc4'],
  ['uppercase', 'AbC\xe4', 'ABC\xe4'],
  ['length', 'abc', '3'],
];

describe('transformations', () => {
  for (const [name, input, expected] of cases) {
    test(`${name} of ${JSON.stringify(input)}`, () => {
      expect(transformations[name](input)).toBe(expected);
    });
  }

  test('md5 and sha1 give the same digest as the platform, at every padding length', () => {
    for (let length = 0; length < 130; length += 1) {
      const text = 'x'.repeat(length);
      for (const name of ['md5', 'sha1'] as const) {
        expect(transformations[name](text)).toBe(createHash(name).update(text, 'latin1').digest('latin1'));
      }
    }
  });

  const bytes = fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  });
  for (const [name, apply] of Object.entries(transformations)) {
    test(`${name} is total and stays one char one byte`, () => {
      const holds = (text: string): boolean => /^[\x00-\xff]*$/.test(apply(text));
      for (let code = 0; code < 256; code += 1) expect(holds(String.fromCharCode(code))).toBe(true);
      fc.assert(fc.property(bytes, holds), { numRuns: 300 });
      expect(holds('')).toBe(true);
    });

    test(`${name} takes linear time`, () => {
      for (const unit of ['%', '%u', '&#', '\\', '\\x', '/*', '<!--', '../', '+A', ' ', '\xe0\x80', 'A=']) {
        expectLinear((size) => void apply(unit.repeat(size / unit.length)), [8192, 131_072], unit);
      }
    });
  }
});
