import { expect, it } from 'vitest';
import { typedText, visibleText, wireText } from './typed-text.ts';

const latin1 = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));

it('reads UTF-8 that came a character a byte, and leaves bytes that are none', () => {
  for (const text of ['plain', 'Größe ✓', '<script>alert("é")</script>']) {
    expect(typedText(latin1(text))).toBe(text);
  }
  expect(typedText('\u00ff\u00fe')).toBe('\u00ff\u00fe');
  expect(typedText('already “text”')).toBe('already “text”');
  for (const text of ['plain', 'größe', '数量', latin1('größe')]) {
    expect(wireText(text)).toBe(latin1(typedText(text)));
  }
});

it('shows what has no picture of its own', () => {
  expect(visibleText('a\u0000b\nc\u007f')).toBe('a␀b␊c␡');
  expect(visibleText('user\u202etxt.exe\u200b')).toBe('user<U+202E>txt.exe<U+200B>');
  expect(visibleText('Größe ✓ 漢字')).toBe('Größe ✓ 漢字');
});
