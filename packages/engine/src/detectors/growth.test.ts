import { describe, expect, test } from 'vitest';
import { defaultLimits, parseRequest } from '../parse/index.ts';
import type { Detector, SiteFacts, StructureCheck } from '../rules/index.ts';
import { expectLinear } from '../testing/growth.ts';
import { post, request } from '../testing/requests.ts';
import { builtInRules } from './index.ts';

/** What each reader is built to look twice at, over and over. */
const seeds = [
  ...[' ', '1', 'a', "'", '"', '`', '(', ')', ',', ';', '-', '#', '/', '\\', '<', '>', '&', '=', '%', '\0'],
  ...[
    "' or ",
    "1' and ",
    'union select ',
    'select a from ',
    '1,',
    "' || ",
    '/*',
    '/*!',
    '*/',
    '-- \n',
    '#\n',
  ],
  ...[
    'if(',
    'if(1=1,',
    '@@a',
    "'a','b',",
    'case when ',
    '; drop ',
    'insert into a ',
    "\\'",
    'a.b.',
    '(select ',
  ],
  ...[
    '; cat ',
    '$(',
    '$( ',
    '`a',
    '\n',
    'a=b;',
    '&lt;',
    "''",
    '$@',
    '{',
    '|',
    '| id ',
    '& ',
    '\\a',
    '^a',
    '{a,',
  ],
  ...[
    '<a ',
    '<a b="',
    "<a b='",
    '</title>',
    '</title><',
    '<script>',
    '<script> tag ',
    '<iframe src=',
    '<style>',
  ],
  ...['<a id=', 'on=', '<!--', ']]>', '<![CDATA[', '<?', '<!DOCTYPE ', '&amp;', '&#x41;'],
  ...[
    '//',
    '///',
    'http://',
    'http://a@',
    '//a#@',
    '\\\\',
    'http:',
    '//127.0.0.1.nip.io/',
    '//[::',
    '//1.',
    '//0x',
  ],
  ...[
    '{"a":',
    '[',
    '[[',
    '{',
    '{a(b:"',
    'query{',
    '"a",',
    '--b\r\n',
    'a=b&',
    'a[b]=',
    '\r\n',
    '\r\n\r\n',
    'PK\x03\x04',
  ],
  ...['<svg ', '<svg on', 'a.php.', '.php', '%00', '\xef\xbc\x9c', '\xc0\xaf', '+AD', '\\u00', 'AAAA'],
];

function repeated(seed: string, size: number): string {
  return seed.repeat(Math.ceil(size / seed.length)).slice(0, size);
}

function growsLinearly(name: string, run: (text: string) => void): void {
  for (const seed of seeds)
    expectLinear((size) => run(repeated(seed, size)), [1024, 16_384], `${name}: ${seed}`);
}

const detectors = new Map<string, Detector>();
const checks = new Map<string, StructureCheck>();
for (const { id, operator } of builtInRules) {
  if (operator.kind === 'detect') detectors.set(operator.detector.name, operator.detector);
  if (operator.kind === 'structure') checks.set(id, operator.check);
}

const facts: SiteFacts = {
  trustedOrigins: [],
  allowedMethods: ['POST'],
  method: 'POST',
  scheme: 'https',
  target: '/',
  httpVersion: '1.1',
};

describe('what patterns alone do not show', () => {
  test('there are detectors and checks to probe', () => {
    expect(detectors.size).toBeGreaterThanOrEqual(6);
    expect(checks.size).toBeGreaterThanOrEqual(15);
  });

  test.each([...detectors])('the detector of %s grows linearly from 1 to 16 KB', (name, { detect }) => {
    growsLinearly(name, detect);
  });

  test.each([...checks])('the check %s grows linearly from 1 to 16 KB', (id, check) => {
    growsLinearly(id, (text) => {
      const body = `--b\r\nContent-Disposition: form-data; name="f"; filename="${text.slice(0, 4096)}"\r\nContent-Type: image/png\r\n\r\n<svg ${text}\r\n--b--`;
      const headers = ['host', 'origin', 'transfer-encoding', 'x-file-name'].map(
        (name) => [name, text.slice(0, 4096)] as const,
      );
      const made = post('multipart/form-data; boundary=b', body);
      check(parseRequest({ ...made, headers: [...made.headers, ...headers] }, defaultLimits), facts);
    });
  });

  test.each([
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    'text/xml',
    'application/octet-stream',
    'text/plain',
  ])('a body of type %s is read in linear time, as are path, query and cookies', (type) => {
    growsLinearly(type, (text) => {
      parseRequest(post(type, text), defaultLimits);
      parseRequest(request({ target: `/${text}?${text}`, headers: [['cookie', text]] }), defaultLimits);
    });
  });
});

describe('empty and one-byte input', () => {
  const inputs = ['', ...Array.from({ length: 256 }, (_unused, code) => String.fromCharCode(code))];

  test.each([...detectors])('the detector of %s finds nothing and does not throw', (_name, { detect }) => {
    for (const input of inputs) expect(detect(input)).toEqual([]);
  });
});
