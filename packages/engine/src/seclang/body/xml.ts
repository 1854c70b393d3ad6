import type { NamedValue, ParsedBody, XmlElement } from './parsed-body.ts';
import { readXmlTokens, type XmlToken } from './xml-tokens.ts';

const maxDepth = 256;

/**
 * Parses an XML body into a tree. Entities of the document itself are never expanded: their references stay
 * as text, so that a bomb costs nothing and a file reference reads nothing.
 */
export function parseXml(text: string): ParsedBody {
  const open: OpenElement[] = [{ name: '', attributes: [], children: [], text: [] }];
  let stray = false;
  for (const token of readXmlTokens(text)) {
    if (!take(token, open)) return broken(open);
    if (open.length === 1 && token.kind === 'text' && isStray(token.text)) stray = true;
  }
  const document = open[0]?.children ?? [];
  const [root] = document;
  return open.length > 1 || document.length !== 1 || stray || !root ? broken(open) : { args: [], xml: root };
}

/** A byte order mark may stand before a document, and white space around it. */
const isStray = (text: string) => text.replace(/^\xef\xbb\xbf/, '').trim() !== '';

/** @returns false where the document can't be read on */
function take(token: XmlToken, open: OpenElement[]): boolean {
  switch (token.kind) {
    case 'text':
      addText(open, decodeEntities(token.text));
      return true;
    case 'cdata':
      addText(open, token.text);
      return true;
    case 'broken':
      addText(open, decodeEntities(token.text));
      return false;
    case 'close':
      return close(open, token.name);
    case 'open': {
      if (open.length > maxDepth) return false;
      const attributes = token.attributes.map(([name, value]): NamedValue => [name, decodeEntities(value)]);
      open.push({ name: token.name, attributes, children: [], text: [] });
      if (token.closed) close(open, token.name);
      return true;
    }
  }
}

interface OpenElement {
  readonly name: string;
  readonly attributes: readonly NamedValue[];
  readonly children: XmlElement[];
  readonly text: string[];
}

/** What could be read of a document that is none: open elements are taken to end where the text does. */
function broken(open: OpenElement[]): ParsedBody {
  const error = `XML parsing error: ${open.length > 1 ? 'an element that does not end' : 'not one document'}`;
  for (let last = open.at(-1); last && open.length > 1; last = open.at(-1)) close(open, last.name);
  const document = open[0];
  if (!document) return { args: [], error };
  return { args: [], xml: { ...document, text: document.text.join('') }, error };
}

function addText(open: OpenElement[], text: string): void {
  if (text !== '') open.at(-1)?.text.push(text);
}

function close(open: OpenElement[], name: string): boolean {
  const element = open.at(-1);
  if (open.length < 2 || element?.name !== name) return false;
  open.pop();
  const finished = { ...element, text: element.text.join('') };
  open.at(-1)?.children.push(finished);
  addText(open, finished.text);
  return true;
}

const predefined: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(lt|gt|amp|quot|apos));/g,
    (all, hex, dec, name) => {
      if (name !== undefined) return predefined[name] ?? all;
      const code = Number.parseInt(hex ?? dec, hex === undefined ? 10 : 16);
      return code < 256 ? String.fromCharCode(code) : all;
    },
  );
}

/** An XPath as far as rules use it: `/*`, `//@*`, `/a/b`, `//b`, `//b/@c`, `/a/b/text()`. */
export type XmlPath = readonly XmlStep[];

interface XmlStep {
  readonly anywhere: boolean;
  readonly attribute: boolean;
  readonly name: string;
}

/** @returns undefined when the expression is beyond what is understood here */
export function parseXmlPath(source: string): XmlPath | undefined {
  const steps: XmlStep[] = [];
  const bare = source.replace(/\/text\(\)$/, '');
  const step = /(\/\/?)(@?)(\*|[\w:.-]+)/y;
  while (step.lastIndex < bare.length) {
    const found = step.exec(bare);
    if (!found) return undefined;
    steps.push({ anywhere: found[1] === '//', attribute: found[2] === '@', name: found[3] ?? '' });
  }
  return steps.length > 0 ? steps : undefined;
}

/** The texts at a path: the whole text of each element, or the values of attributes. */
export function selectXml(root: XmlElement, path: XmlPath): string[] {
  let elements: XmlElement[] = [{ name: '', attributes: [], children: [root], text: root.text }];
  for (const { anywhere, attribute, name } of path) {
    // Prefixes are the document's own, so only what stands behind them is compared.
    const local = name.slice(name.indexOf(':') + 1);
    const wanted = (other: string) =>
      name === '*' || other === name || other.replace(/^[^:]*:/, '') === local;
    if (attribute) {
      const bearers = anywhere ? elements.flatMap(descendants) : elements;
      return bearers.flatMap((one) =>
        one.attributes.filter(([key]) => wanted(key)).map(([, value]) => value),
      );
    }
    const below = anywhere
      ? elements.flatMap((one) => descendants(one).slice(1))
      : elements.flatMap(childrenOf);
    elements = below.filter((one) => wanted(one.name));
  }
  return elements.map((one) => one.text);
}

const childrenOf = (element: XmlElement): readonly XmlElement[] => element.children;

function descendants(element: XmlElement): XmlElement[] {
  const all: XmlElement[] = [element];
  for (const one of all) all.push(...one.children);
  return all;
}
