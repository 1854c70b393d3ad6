import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { InspectedRequest } from '../../packages/engine/src/index.ts';
import { type Carry, carriers } from './carriers.ts';

/** A kind of text that lies on every developer's machine, as people send such texts to applications. */
export interface Installed {
  readonly kind: string;
  readonly requests: readonly InspectedRequest[];
}

const folder = path.resolve(import.meta.dirname, '../../node_modules');

/** Files of the packages that are installed, by their name; read in place, in the same order everywhere. */
function read(name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => name.test(file))
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8'));
}

const each = (texts: readonly string[]): string[] => [...new Set(texts)];

const fence = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[^\n]*$|^(?: {4}|\t)[^\n]*$/gm;
const beginsAsProse = /^[A-Z][^|<>{}]*[.!?:]$/s;

/** Paragraphs of sentences, without blocks of code, tables and markup. */
function paragraphs(document: string): string[] {
  return document
    .replace(fence, '')
    .split(/\n\s*\n/)
    .map((text) => text.trim())
    .filter((text) => text.length > 40 && text.length < 2000 && beginsAsProse.test(text));
}

/** Headings, three words and more. */
function headings(document: string): string[] {
  return [...document.matchAll(/^#{1,4} ((?:\S+ ){2,9}\S+)$/gm)].map(([, heading = '']) => heading);
}

/** As an editor of rich text sends a paragraph. */
function rich(text: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const words = safe.split(' ');
  const bold = `<strong>${words[2] ?? ''}</strong>`;
  return `<p>${[...words.slice(0, 2), bold, ...words.slice(3)].join(' ')}</p>\n<ul><li><a href="https://example.org/notes?page=2" rel="noopener">${words.slice(0, 4).join(' ')}</a></li></ul>`;
}

/** Each text in one of the carriers, told by the text itself: packages that come or go leave those of the others. */
function carried(texts: readonly string[], names: readonly string[]): InspectedRequest[] {
  return texts.flatMap((text) => {
    const chosen = createHash('sha256').update(text).digest().readUInt32BE() % names.length;
    const carry: Carry | undefined = carriers[names[chosen] ?? ''];
    return carry ? [carry(text)] : [];
  });
}

const fields = ['form', 'json', 'multipart', 'xml'];

/**
 * Texts that nobody wrote for this benchmark: what the installed packages say of themselves. Whole files hold commands
 * and programs, which a field that promises text may be blamed for; sentences and headings hold none.
 */
export function installed(): readonly Installed[] {
  const documents = each(read(/(?:^|[/\\])(?:README|CHANGELOG|CONTRIBUTING)(?:\.\w+)?\.md$/i));
  const prose = each(documents.flatMap(paragraphs));
  return [
    { kind: 'paragraphs', requests: carried(prose, fields) },
    { kind: 'paragraphs as rich text', requests: carried(prose.map(rich), fields) },
    {
      kind: 'headings',
      requests: carried(each(documents.flatMap(headings)), ['query', 'cookie', 'referer', 'path']),
    },
    { kind: 'whole files, with their code', requests: carried(documents, fields) },
    { kind: 'package.json', requests: carried(each(read(/(?:^|[/\\])package\.json$/)), ['jsonraw', 'json']) },
  ];
}
