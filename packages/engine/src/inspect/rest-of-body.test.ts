import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InspectedRequest } from '../parse/index.ts';
import { choices, encodeLatin1, post } from '../testing/requests.ts';
import { compilePolicy, inspect, inspectRest, type Verdict } from './index.ts';

const prefixLength = 8192;
const policy = compilePolicy({
  securityLevel: 'medium',
  categories: choices('medium'),
  limits: { maxBodyBytes: prefixLength },
});
// A body over the limit is no matter here.
const { size_limit: _off, ...looking } = choices('medium');
const watching = compilePolicy({
  securityLevel: 'medium',
  categories: looking,
  limits: { maxBodyBytes: prefixLength },
});

/** Inspects a body as a gateway does: the prefix, then the rest in pieces as they arrive. */
function inspectStream(whole: InspectedRequest, pieces: number, using = watching): Verdict {
  const body = String(whole.body);
  const request = { ...whole, body: body.slice(0, prefixLength), bodyTruncated: true };
  const first = inspect(using, request);
  if (first.decision !== 'pass') return first;
  const rest = inspectRest(using, request);
  if (rest === undefined) return first;
  for (let at = prefixLength; at < body.length; at += pieces) {
    const verdict = rest.read(body.slice(at, at + pieces), at + pieces >= body.length);
    if (verdict.decision !== 'pass') return verdict;
  }
  return first;
}

const prose = 'A good day in the union of the select few; it’s said that 1 < 2 & "so on". ';
const latin1 = (text: string) => Buffer.from(text).toString('latin1');
const filler = (length: number) =>
  latin1(prose)
    .repeat(Math.ceil(length / 70))
    .slice(0, length);
const field = (name: string, content: string, file = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${file && `; filename="${file}"`}\r\n\r\n${content}\r\n`;
const multipart = (...fields: string[]) =>
  post('multipart/form-data; boundary=b', `${fields.join('')}--b--\r\n`);
const objects = (length: number) =>
  Array.from({ length: Math.ceil(length / 100) }, (_, id) => ({ id, title: filler(60), tags: ['a', 'b\\'] }));

/** A body that holds a text somewhere beyond `before` bytes of what is harmless, and as much behind it. */
type Carrier = (text: string, before: number) => InspectedRequest;
const carriers: [string, Carrier][] = [
  [
    'a form, behind small fields',
    (text, before) =>
      post(
        'application/x-www-form-urlencoded',
        `${'page=1&'.repeat(before / 7)}id=${encodeLatin1(text)}${'&page=1'.repeat(before / 7)}`,
      ),
  ],
  [
    'a form, behind one long field',
    (text, before) =>
      post(
        'application/x-www-form-urlencoded',
        `note=${encodeLatin1(filler(before))}&id=${encodeLatin1(text)}&note=1`,
      ),
  ],
  [
    'JSON, behind objects',
    (text, before) =>
      post('application/json', JSON.stringify([...objects(before), { id: text }, ...objects(before)])),
  ],
  [
    'JSON, behind one long string',
    (text, before) => post('application/json', JSON.stringify({ note: filler(before), id: text, n: 1 })),
  ],
  [
    'JSON lines',
    (text, before) =>
      post(
        'application/x-ndjson',
        [...objects(before), { id: text }].map((one) => JSON.stringify(one)).join('\n'),
      ),
  ],
  [
    'a multipart form, behind a file',
    (text, before) => multipart(field('f', filler(before), 'a.txt'), field('id', text)),
  ],
  [
    'a multipart form, behind fields',
    (text, before) => multipart(field('note', '1').repeat(before / 60), field('id', text), field('n', '1')),
  ],
  [
    'a multipart form, behind one long field',
    (text, before) => multipart(field('note', filler(before)), field('id', text)),
  ],
  [
    'XML',
    (text, before) =>
      post(
        'application/xml',
        `<list>${'<item kind="a">1</item>'.repeat(before / 20)}<item><![CDATA[${text}]]></item></list>`,
      ),
  ],
];
const attacks = [
  `1' UNION SELECT password FROM users-- -`,
  `"><script>alert(document.cookie)</script>`,
  `1;cat /etc/passwd`,
  '../../../../etc/passwd',
];

describe('the rest of a body', () => {
  describe.each(carriers)('in %s', (_name, carry) => {
    test.each(attacks)('%s is found', (attack) => {
      for (const before of [prefixLength - 200, prefixLength + 50, 3 * prefixLength, 60_000]) {
        expect(inspectStream(carry(attack, before), 16_384).decision, `behind ${before} bytes`).toBe('block');
      }
    });

    test('what is harmless passes', () => {
      for (const before of [9000, 60_000]) {
        expect(inspectStream(carry(latin1(prose), before), 16_384).decision).toBe('pass');
      }
    });

    test('how it arrives changes nothing', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: prefixLength, max: 40_000 }),
          fc.integer({ min: 1, max: 9000 }),
          fc.boolean(),
          (before, pieces, hostile) => {
            const request = carry(hostile ? `1' UNION SELECT password FROM users-- -` : 'a word', before);
            expect(inspectStream(request, pieces).decision).toBe(hostile ? 'block' : 'pass');
          },
        ),
        { numRuns: 12 },
      );
    });
  });

  test('explains what it found by the name that stands there', () => {
    const { matches } = inspectStream(
      post('application/json', JSON.stringify({ note: filler(9000), user: { id: attacks[0] } })),
      1000,
    );
    expect(matches.map(({ target }) => target)).toContain('json:id');
    const form = post(
      'application/x-www-form-urlencoded',
      `note=${filler(9000).replaceAll('&', '')}&id=${encodeLatin1(attacks[0] ?? '')}`,
    );
    expect(inspectStream(form, 1000).matches.map(({ target }) => target)).toContain('form:id');
  });

  test('a file that begins behind the prefix is judged as any other', () => {
    const script = field('f', '<?php system($_GET["c"]); ?>', 'shell.php');
    expect(inspectStream(multipart(field('note', filler(9000)), script), 1000).decision).toBe('block');
    const picture = field('f', `\x89PNG\r\n\x1a\n${'\0\x01'.repeat(20_000)}`, 'a.png');
    expect(
      inspectStream(multipart(field('note', filler(9000)), picture, field('id', attacks[0] ?? '')), 1000)
        .decision,
    ).toBe('block');
    expect(inspectStream(multipart(field('note', filler(9000)), picture), 1000).decision).toBe('pass');
  });

  test('an exception for a parameter holds there too', () => {
    const excepting = compilePolicy({
      securityLevel: 'medium',
      categories: looking,
      limits: { maxBodyBytes: prefixLength },
      exceptions: [{ category: 'sql_injection', parameter: 'id' }],
    });
    const [, carry] = carriers[2] ?? [];
    const request = carry?.(attacks[0] ?? '', 9000) ?? post('', '');
    expect(inspectStream(request, 1000).decision).toBe('block');
    expect(inspectStream(request, 1000, excepting).decision).toBe('pass');
  });

  test('what is posted without a type is a form to some, whatever its first bytes are', () => {
    const image = `GIF89a${'\0\x01'.repeat(prefixLength)}`;
    const sent = post('', `${image}&id=${attacks[0]}${'\0\x01'.repeat(2000)}`);
    expect(inspectStream(sent, 1000).decision).toBe('block');
    expect(inspectStream({ ...sent, method: 'PUT' }, 1000).decision).toBe('pass');
    expect(inspectStream(post('image/gif', String(sent.body)), 1000).decision).toBe('pass');
    expect(inspectStream(post('', `${image}GCC: (GNU) 14.2=1`), 1000).decision).toBe('pass');
  });

  test('of a file as such, of what is compressed and without anything to look for there is none', () => {
    const truncated = { bodyTruncated: true };
    const elf = { ...post('application/octet-stream', `\x7fELF${'\0\x01'.repeat(2000)}`), ...truncated };
    expect(inspectRest(watching, elf)).toBeUndefined();
    const coded = post('application/json', '[1,');
    const gzip = {
      ...coded,
      ...truncated,
      headers: [...coded.headers, ['content-encoding', 'gzip']] as const,
    };
    expect(inspectRest(watching, gzip)).toBeUndefined();
    expect(inspect(policy, gzip).unread).toBe('inflated');
    const plain = {
      ...coded,
      ...truncated,
      headers: [...coded.headers, ['content-encoding', 'identity']] as const,
    };
    expect(inspectRest(watching, plain)).toBeDefined();
    expect(inspectRest(compilePolicy({ securityLevel: 'medium', categories: {} }), plain)).toBeUndefined();
  });

  test('where a long text is cut, no value begins', () => {
    const item = '<li class="closing"><span>a</span></li>';
    for (let shift = 0; shift < item.length; shift += 1) {
      const text = `${'x'.repeat(shift)}${item.repeat(1500)}`;
      expect(inspectStream(post('application/json', JSON.stringify({ text })), 16_384).decision).toBe('pass');
    }
  });

  test('tells that it was stopped for its cost', () => {
    const rest = inspectRest(watching, { ...post('application/json', '['), bodyTruncated: true });
    const verdict = rest?.read(JSON.stringify(objects(20_000)), true, { exhausted: () => true });
    expect(verdict?.overBudget).toBe(true);
  });
});
