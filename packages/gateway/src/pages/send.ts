import { type Exchange, respond } from '../exchange/index.ts';
import type { Page } from './page.ts';
import { renderHtml, renderJson, wantsJson, wordingOf } from './render.ts';

const htmlPolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Answers with a page of our own, as HTML or JSON by the site's response mode and the Accept header. */
export function sendPage(exchange: Exchange, page: Page, headers: readonly string[] = []): void {
  const time = new Date(exchange.time).toISOString();
  const json = wantsJson(exchange.responseMode, exchange.head.accept);
  const wording = wordingOf(page, exchange.pageTexts);
  const body = json ? renderJson(page, wording, exchange.id, time) : renderHtml(wording, exchange.id, time);
  const all = [
    'Content-Type',
    json ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'X-Request-Id',
    exchange.id,
    ...headers,
  ];
  if (!json) all.push('Content-Security-Policy', htmlPolicy);
  respond(exchange, page.status, all, body);
}
