import type { Sink } from './value.ts';

/**
 * Gives the texts, CDATA sections, comments and attribute values of an XML document. Entities are never
 * expanded. Reads whatever it is given: a missing end runs to the end of the text. Never throws.
 */
export function parseXml(text: string, sink: Sink): void {
  let element = '';
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('<', at);
    const end = open < 0 ? text.length : open;
    if (!give(text.slice(at, end), element, sink)) return;
    if (open < 0) return;
    const section = sections.find(({ opening }) => text.startsWith(opening, open));
    if (section) {
      const close = text.indexOf(section.closing, open + section.opening.length);
      const stop = close < 0 ? text.length : close;
      if (!give(text.slice(open + section.opening.length, stop), element, sink)) return;
      at = stop + section.closing.length;
      continue;
    }
    const close = text.indexOf('>', open);
    const stop = close < 0 ? text.length : close;
    const tag = text.slice(open + 1, stop);
    element = /^[\w:.-]{1,64}/.exec(tag)?.[0] ?? element;
    if (!attributes(tag, element, sink)) return;
    at = stop + 1;
  }
}

const sections = [
  { opening: '<![CDATA[', closing: ']]>' },
  { opening: '<!--', closing: '-->' },
  { opening: '<?', closing: '?>' },
];

function give(text: string, name: string, sink: Sink): boolean {
  const trimmed = text.trim();
  if (trimmed.length < 2) return true;
  return sink({ part: 'xml', name, isName: false, text: trimmed, decoders: ['xml'] });
}

function attributes(tag: string, element: string, sink: Sink): boolean {
  if (!tag.includes('=')) return true;
  for (const [, name = '', double, single] of tag.matchAll(
    /([\w:.-]{1,64})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')/g,
  )) {
    const text = double ?? single ?? '';
    if (name.startsWith('xmlns') || text.length < 2) continue;
    if (!sink({ part: 'xml', name: `${element}@${name}`, isName: false, text, decoders: ['xml'] }))
      return false;
  }
  return true;
}
