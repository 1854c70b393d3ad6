import { htmlEntityDecode } from '../decode/index.ts';

const opening = /<(code|pre)(?:\s[^<>]{0,200})?>/gi;
const angles = /(&(?:[lg]t|#0{0,9}6[02]|#x0{0,9}3[ce]);)/i;

/**
 * Decodes character references as `htmlEntityDecode` does, but leaves the angle brackets that stand escaped between
 * `<code>` and `</code>` or `<pre>` and `</pre>`: in a text that is markup itself they show a tag and open none, as editors of
 * content send it. Linear; what an element that is never closed holds is decoded whole.
 */
export function decodeBesideShownCode(text: string): string {
  if (!text.includes('&')) return text;
  opening.lastIndex = 0;
  let match = opening.exec(text);
  if (!match) return htmlEntityDecode(text);
  const folded = text.toLowerCase();
  let decoded = '';
  let at = 0;
  while (match) {
    const start = match.index + match[0].length;
    const end = folded.indexOf(`</${match[1]?.toLowerCase()}>`, start);
    if (end < 0) break;
    decoded += htmlEntityDecode(text.slice(at, start)) + decodeBesideAngles(text.slice(start, end));
    at = end;
    opening.lastIndex = end;
    match = opening.exec(text);
  }
  return decoded + htmlEntityDecode(text.slice(at));
}

function decodeBesideAngles(code: string): string {
  return code
    .split(angles)
    .map((piece, index) => (index % 2 === 1 ? piece : htmlEntityDecode(piece)))
    .join('');
}
