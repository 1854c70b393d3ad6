import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileLinear } from '../../pattern/index.ts';
import { inspectSeclang, loadSeclang, type SeclangRules } from '../index.ts';
import { rulesFrom } from '../testing/rules.ts';

const sizes = [16_384, 131_072];

/** A form with one field. @returns seconds of CPU that its inspection took, and what it said */
function timed(rules: SeclangRules, value: string) {
  const body = `x=${encodeURIComponent(value)}`;
  const request = {
    method: 'POST',
    target: '/',
    httpVersion: '1.1',
    scheme: 'http',
    headers: [
      ['Host', 'shop.example.com'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
    clientIp: '192.0.2.7',
    body,
  } as const;
  const before = process.cpuUsage();
  const verdict = inspectSeclang(rules, { request });
  const { user, system } = process.cpuUsage(before);
  return { verdict, seconds: (user + system) / 1e6 };
}

describe('a pattern that would take for ever', () => {
  const hostile = [
    '(a+)+$',
    '^(a|a)*$',
    '(a*)*\\1(?!b)b',
    '(.*a){20}x',
    '(?:(?=(?:a*)*b)a)*(?!c)c',
    '(?>a+)+!x',
    '(a++)+b|(?<!x)(a?)+$',
  ];
  const rules = rulesFrom(
    hostile
      .map((pattern, index) => `SecRule ARGS "@rx ${pattern}" "id:${index + 1},phase:2,pass"`)
      .join('\n'),
  );

  it('loads', () => {
    expect(rules.issues).toEqual([]);
    expect(rules.counts.rules).toBe(hostile.length);
  });

  it.each(sizes)('holds no request of %d bytes up', (size) => {
    expect(timed(rules, `${'a'.repeat(size)}!`).seconds).toBeLessThan(5);
    expect(timed(rules, `${'a'.repeat(size)}bc`).seconds).toBeLessThan(5);
  });

  it('gives up where it has no bound, says so, and lets a rule see that', () => {
    const rules = rulesFrom(`SecRule ARGS "@rx (a*)*\\1(?!b)b" "id:1,phase:2,pass"
      SecRule TX:/^MSC_/ "!@streq 0" "id:200005,phase:2,deny"`);
    const { verdict } = timed(rules, `${'a'.repeat(200)}b`);
    expect(verdict.overBudget).toBe(true);
    expect(verdict.intervention?.ruleId).toBe(200005);
  });

  it('nor does one that selects names, or a rule of an operator', () => {
    const selecting = rulesFrom('SecRule ARGS:/(x+)+$/ "@contains a" "id:1,phase:2,pass"');
    const request = {
      method: 'GET',
      target: `/?${'x'.repeat(50_000)}y=a`,
      httpVersion: '1.1',
      scheme: 'http',
      headers: [],
      clientIp: '::1',
    } as const;
    expect(inspectSeclang(selecting, { request }).matches).toEqual([]);
    const compiled = compileLinear('(a+)+$');
    expect(compiled.ok && compiled.pattern.matchEnd(`${'a'.repeat(131_072)}!`)).toBe(-1);
  });

  it('stops at the bound on time, where there is a clock', () => {
    let now = 0;
    const slow = { now: () => (now += 100), startedAtMs: 0 };
    const request = {
      method: 'GET',
      target: `/?a=${'a'.repeat(100)}`,
      httpVersion: '1.1',
      scheme: 'http',
      headers: [],
      clientIp: '::1',
    } as const;
    const loop = rulesFrom(
      Array.from(
        { length: 50 },
        (_unused, index) => `SecRule ARGS "@rx a" "id:${index + 1},phase:1,pass"`,
      ).join('\n'),
    );
    expect(inspectSeclang(loop, { request, context: slow, maxMs: 1000 }).overBudget).toBe(true);
  });
});

const rulesDir = '/usr/share/modsecurity-crs/rules';
const setupFile = '/etc/modsecurity/crs/crs-setup.conf';
const missing = [rulesDir, setupFile].filter((needed) => !existsSync(needed));
const pumps = [
  '<a ',
  '`a',
  '<style',
  "' or 1 ",
  'bytes=1-,',
  '\\"',
  "'",
  '&#x0',
  '\\',
  '=[',
  '../',
  ';',
  'a= ',
  ' ',
];

describe.skipIf(missing.length > 0)(
  `the Core Rule Set at paranoia 4${missing.map((it) => ` (no ${it})`)}`,
  { timeout: 240_000 },
  () => {
    it('holds no request up, whatever is said again and again for 16 and 128 KB', () => {
      const files = new Map([
        ['crs-setup.conf', readFileSync(setupFile, 'latin1')],
        [
          'level.conf',
          'SecAction "id:900000,phase:1,pass,nolog,setvar:tx.paranoia_level=4,ctl:ruleEngine=DetectionOnly"',
        ],
      ]);
      for (const name of readdirSync(rulesDir)) {
        files.set(name, readFileSync(path.join(rulesDir, name), 'latin1'));
      }
      const names = [...files.keys()].filter((name) => /^RE.*\.conf$/.test(name)).sort();
      const rules = loadSeclang(files, { entries: ['crs-setup.conf', 'level.conf', ...names] });
      let slowest = { pump: '', size: 0, seconds: 0 };
      for (const size of sizes) {
        for (const pump of pumps) {
          const { seconds } = timed(rules, pump.repeat(Math.ceil(size / pump.length)).slice(0, size));
          if (seconds > slowest.seconds) slowest = { pump, size, seconds };
        }
      }
      expect(slowest.seconds, JSON.stringify(slowest)).toBeLessThan(5);
    });
  },
);
