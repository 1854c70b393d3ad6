import type { PageKind, SitePages } from '@portcullis/contract/sites';
import { type Page, pages } from './page.ts';
import { renderHtml, wordingOf } from './render.ts';

const examples: Readonly<Record<PageKind, Page>> = {
  block: pages.blocked,
  challenge: pages.challenge,
  error: pages.upstreamDown,
  maintenance: pages.maintenance,
};

/**
 * A page as visitors get it, for whoever words it. What a challenge computes with is left out.
 * @param time ISO 8601
 * @returns a whole HTML document
 */
export function previewPage(kind: PageKind, texts: SitePages, time: string): string {
  return renderHtml(wordingOf(examples[kind], texts), '00000000-0000-0000-0000-000000000000', time);
}
