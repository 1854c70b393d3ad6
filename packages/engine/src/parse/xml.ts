import { htmlEntityDecode } from '../decode/index.ts';
import type { Sink, Value } from './value.ts';
import { declareEntities, type Entities, expandEntities, noEntities } from './xml-entities.ts';

/**
 * Gives the texts, CDATA sections, comments and attribute values of an XML document, entities that the document itself
 * declares expanded within bounds, and never others. Reads whatever it is given: a missing end runs to the end of the text.
 * Never throws.
 */
export function parseXml(text: string, given: Sink): void {
  const entities = noEntities();
  const sink: Sink = (value) => given(value) && giveExpanded(value, entities, given);
  const unclosed = new Set<string>();
  let element = '';
  let at = 0;
  /** the text of the element so far, where sections interrupt it */
  let pieces: string[] = [];
  while (at < text.length) {
    const open = text.indexOf('<', at);
    const end = open < 0 ? text.length : open;
    const piece = text.slice(at, end);
    if (!give(piece, element, true, sink)) return;
    const section = open < 0 ? undefined : sections.find(({ opening }) => text.startsWith(opening, open));
    if (section) {
      const close = text.indexOf(section.closing, open + section.opening.length);
      const stop = close < 0 ? text.length : close;
      const content = text.slice(open + section.opening.length, stop);
      if (!give(content, element, false, sink)) return;
      pieces.push(htmlEntityDecode(piece), section.isText ? content : '');
      at = stop + section.closing.length;
      continue;
    }
    // To the application they are one text.
    if (pieces.length > 0 && !giveJoined([...pieces, htmlEntityDecode(piece)], element, sink)) return;
    pieces = [];
    if (open < 0) return;
    const stop = tagEnd(text, open, unclosed);
    const tag = text.slice(open + 1, stop);
    element = /^[\w:.-]{1,64}/.exec(tag)?.[0] ?? element;
    if (tag.startsWith('!'))
      for (const declared of declareEntities(text.slice(open, stop), entities))
        if (!give(declared, '!ENTITY', true, sink)) return;
    if (!attributes(tag, element, sink)) return;
    at = stop + 1;
  }
  giveJoined(pieces, element, sink);
}

function giveExpanded(value: Value, entities: Entities, sink: Sink): boolean {
  const text = expandEntities(value.text, entities);
  return text === undefined || sink(xmlValue(text, value.name, true));
}

function giveJoined(pieces: readonly string[], name: string, sink: Sink): boolean {
  const texts = pieces.filter((piece) => /\S/.test(piece));
  return texts.length < 2 || give(texts.join(''), name, false, sink);
}

const sections = [
  { opening: '<![CDATA[', closing: ']]>', isText: true },
  { opening: '<!--', closing: '-->', isText: false },
  { opening: '<?', closing: '?>', isText: false },
];

/**
 * Where a tag ends: at its first `>` outside of quotes, since attribute values may hold one.
 * @param unclosed quotes known to have no partner further on, so that a flood of them costs no more than one
 */
function tagEnd(text: string, open: number, unclosed: Set<string>): number {
  const plainEnd = text.indexOf('>', open);
  for (let at = open + 1; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '>') return at;
    if (char !== '"' && char !== "'") continue;
    const partner = unclosed.has(char) ? -1 : text.indexOf(char, at + 1);
    if (partner < 0) {
      unclosed.add(char);
      break;
    }
    at = partner;
  }
  return plainEnd < 0 ? text.length : plainEnd;
}

const plain = ['xml'] as const;
const dereferenced = ['xml', 'htmlEntityDecode'] as const;

function give(text: string, name: string, references: boolean, sink: Sink): boolean {
  const trimmed = text.trim();
  if (trimmed.length < 2) return true;
  return sink(xmlValue(trimmed, name, references));
}

/** Every parser of XML undoes character references, so that none stands between rules and the text. */
function xmlValue(sent: string, name: string, references: boolean): Value {
  const text = references ? htmlEntityDecode(sent) : sent;
  return {
    part: 'xml',
    name,
    isName: false,
    text,
    source: text,
    at: 0,
    decoders: text === sent ? plain : dereferenced,
  };
}

function attributes(tag: string, element: string, sink: Sink): boolean {
  if (!tag.includes('=')) return true;
  for (const [, name = '', double, single] of tag.matchAll(
    /([\w:.-]{1,64})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')/g,
  )) {
    const text = double ?? single ?? '';
    if (name.startsWith('xmlns') || text.length < 2) continue;
    if (!sink(xmlValue(text, `${element}@${name}`, true))) return false;
  }
  return true;
}
