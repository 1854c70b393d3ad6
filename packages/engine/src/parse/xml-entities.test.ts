import { describe, expect, test } from 'vitest';
import { parseXml } from './xml.ts';

function textsOf(document: string): string[] {
  const texts: string[] = [];
  parseXml(document, ({ text }) => texts.push(text) > 0);
  return texts;
}

describe('entities that a document declares', () => {
  test('are read where they are referred to, whole and joined with what is around', () => {
    expect(
      textsOf('<!DOCTYPE a [<!ENTITY x "on"><!ENTITY y "uni&x;">]><a>1 &y; &#115;elect &x;</a>'),
    ).toContain('1 union select on');
    expect(textsOf('<!DOCTYPE a [<!ENTITY x "ab">]><a b="&x;&x;"/>')).toContain('abab');
  });

  test('are never those from elsewhere', () => {
    const texts = textsOf('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x; &other;</a>');
    expect(texts).toContain('&x; &other;');
    expect(texts.filter((text) => text.includes('etc/passwd'))).toEqual([]);
  });

  test('that swell are left as they are', () => {
    const levels = Array.from(
      { length: 12 },
      (_unused, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
    );
    const texts = textsOf(`<!DOCTYPE a [<!ENTITY l0 "lol">${levels.join('')}]><a>&l12;</a>`);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(300_000);
  });

  test('cost no more than a bound, however often they are named', () => {
    const texts = textsOf(
      `<!DOCTYPE a [<!ENTITY p "${'a'.repeat(8000)}">]><a>${'<b>1 &p;</b>'.repeat(3000)}</a>`,
    );
    expect(texts.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(600_000);
  });

  test('that pad hide nothing behind them', () => {
    const padding = `<!ENTITY p "${'a'.repeat(3000)}">`;
    const texts = textsOf(
      `<!DOCTYPE a [${padding}<!ENTITY x "sel"><!ENTITY y "ect">]><a>${'&p;'.repeat(60)}&x;&y;</a>`,
    );
    expect(texts.filter((text) => text.includes('select'))).toHaveLength(1);
  });
});
