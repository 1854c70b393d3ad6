const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Text of a value that came as latin1, a character a byte: read as UTF-8 where its bytes are that, so that it is
 * shown, and copied, as it was typed.
 * @returns the text; unchanged where the bytes are no UTF-8, or where it is no latin1
 */
export function typedText(latin1: string): string {
  if (!/[\u0080-\u00ff]/.test(latin1) || /[^\u0000-\u00ff]/.test(latin1)) return latin1;
  try {
    return decoder.decode(Uint8Array.from(latin1, (character) => character.charCodeAt(0)));
  } catch {
    return latin1;
  }
}

/**
 * What a person typed as requests carry it: UTF-8, a character a byte. @returns the text; unchanged where it is of
 * that form already, as names are that were taken from an event
 */
export function wireText(text: string): string {
  if (!/[^\u0000-\u007f]/.test(text) || typedText(text) !== text) return text;
  return Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/**
 * Text in which all can be seen: control characters as their pictures (U+2400 block), and those that would turn
 * the order of the others, or have no width, by their number. @see Unicode TR36 §2
 */
export function visibleText(text: string): string {
  return text
    .replace(/[\u0000-\u001f\u007f]/g, (character) =>
      character === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
    )
    .replace(
      /[\u0080-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
      (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );
}
