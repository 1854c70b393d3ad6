import type { SitePages } from '@portcullis/contract/sites';
import type { Page } from './page.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made safe as HTML content and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => entities[char] ?? char);

const style = `:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;
font:16px/1.6 system-ui,sans-serif;background:#f6f7f9;color:#1c2530}main{max-width:34rem;padding:2rem}
h1{font-size:1.6rem;margin:0 0 .5rem}dl{margin:2rem 0 0;font-size:.875rem;display:grid;
grid-template-columns:auto 1fr;gap:.25rem 1rem;color:#4a5664}dd{margin:0;font-family:ui-monospace,monospace;
overflow-wrap:anywhere}@media(prefers-color-scheme:dark){body{background:#12161c;color:#e8ecf1}dl{color:#a9b4c0}}`;

/** What a page says, after the operator's own wording was laid over ours. */
export interface Wording {
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** address of a page or of e-mail; empty where the operator gave none */
  readonly contact: string;
}

/** The operator's words are plain text: an empty line starts a paragraph, markup in them is shown. */
export function wordingOf(page: Page, texts: SitePages | undefined): Wording {
  const own = page.kind === undefined ? undefined : texts?.[page.kind];
  return {
    title: own?.title || page.title,
    paragraphs: (own?.message || page.detail).split(/\n\s*\n/),
    contact: texts?.contact ?? '',
  };
}

/** Only what a browser can follow without running anything: no `javascript:` from a stored text. */
function contactLink(contact: string): string {
  if (contact === '') return '';
  const text = escapeHtml(contact);
  if (/^https?:\/\//i.test(contact)) return `<p>Contact: <a href="${text}">${text}</a></p>`;
  if (/^[^\s@:]+@[^\s@:]+$/.test(contact)) return `<p>Contact: <a href="mailto:${text}">${text}</a></p>`;
  return `<p>Contact: ${text}</p>`;
}

/** What a page carries beside its wording. All of it is HTML of our own making. */
export interface DocumentParts {
  /** stands below the text */
  readonly content?: string;
  /** of the Content-Security-Policy, for the style and the script */
  readonly nonce?: string;
  readonly script?: string;
}

/** One self-contained page: nothing fetched, status told by words and not by colour alone. */
export function renderHtml(
  { title, paragraphs, contact }: Wording,
  reference: string,
  time: string,
  { content = '', nonce, script }: DocumentParts = {},
): string {
  const text = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
  const key = nonce === undefined ? '' : ` nonce="${nonce}"`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style${key}>${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${text}${content}${contactLink(contact)}
<dl><dt>Reference</dt><dd>${escapeHtml(reference)}</dd><dt>Time</dt><dd>${escapeHtml(time)}</dd></dl></main>
${script === undefined ? '' : `<script${key}>${script}</script>`}</body></html>
`;
}

/** The same for programs: the sentence stands in `error` and in `message`, like every API of the product. */
export function renderJson(page: Page, wording: Wording, reference: string, time: string): string {
  const message = wording.paragraphs.join('\n\n');
  const body = { error: message, message, code: page.code, requestId: reference, time };
  return `${JSON.stringify(body)}\n`;
}

/**
 * JSON where the site says so or the client prefers it, else HTML.
 * @param accept the request's Accept header
 */
export function wantsJson(responseMode: 'html' | 'json', accept: string | undefined): boolean {
  if (responseMode === 'json') return true;
  if (accept === undefined) return false;
  return /\bjson\b/i.test(accept) && !/\btext\/html\b/i.test(accept);
}
