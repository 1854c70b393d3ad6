import type { SitePages } from '@portcullis/contract/sites';
import { escapeHtml, type Page, pages, renderHtml, renderJson, wordingOf } from '../pages/index.ts';
import type { Captcha } from './captcha.ts';
import { pageScript } from './page-script.ts';
import { type Puzzle, puzzlePieces } from './puzzle.ts';

/** Where answers go, on every site. Nothing of the upstream's can be here. */
export const challengeEndpoint = '/.portcullis/challenge';

/** An answer of the gateway: header names and values in turn. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

export interface PageRequest {
  readonly texts: SitePages | undefined;
  readonly reference: string;
  /** ISO 8601 */
  readonly time: string;
  /** of the request that was challenged */
  readonly method: string;
  /** base64, for the Content-Security-Policy */
  readonly nonce: string;
}

const base = [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'same-origin',
];

const policy = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:; ` +
  "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const htmlHeaders = (nonce: string, kind: string) => [
  ...base,
  'Content-Type',
  'text/html; charset=utf-8',
  'Content-Security-Policy',
  policy(nonce),
  'Portcullis-Challenge',
  kind,
];

const progress =
  '<p id="status" role="status" aria-live="polite"></p>' +
  `<progress id="progress" max="${puzzlePieces}" value="0" aria-label="Progress of the check" hidden></progress>`;

const puzzleData = (puzzle: Puzzle, method: string) =>
  `data-salt="${puzzle.salt}" data-bits="${puzzle.bits}" data-pieces="${puzzle.pieces}" ` +
  `data-token="${escapeHtml(puzzle.token)}" data-method="${method === 'GET' ? 'GET' : 'other'}" ` +
  `data-endpoint="${challengeEndpoint}"`;

/** The page that lets the browser compute; it needs nothing from the visitor. */
export function puzzlePage(puzzle: Puzzle, request: PageRequest): Reply {
  const content = `<div id="proof" ${puzzleData(puzzle, request.method)}>${progress}</div>
<noscript><p>JavaScript is switched off in this browser. Switch it on for this site and load the page again. The check
runs on this page alone and tells nobody else about you.</p></noscript>`;
  return page(pages.challenge, request, content, 'js');
}

/**
 * The page with a picture to read. Its form works without JavaScript; who cannot see the picture lets the browser
 * compute for longer instead.
 * @param returnTo where the visitor was going: a path on this site
 * @param problem what was wrong with the last answer
 */
export function captchaPage(
  captcha: Captcha,
  alternative: Puzzle,
  request: PageRequest & { returnTo: string; problem?: string | undefined },
): Reply {
  const { returnTo, problem } = request;
  const alert = problem === undefined ? '' : `<p id="problem" role="alert">${escapeHtml(problem)}</p>`;
  const described = problem === undefined ? 'hint' : 'problem hint';
  const content = `<form method="post" action="${challengeEndpoint}">${alert}
<p><img src="data:image/png;base64,${captcha.png.toString('base64')}" width="260" height="84" alt="Five letters or digits, drawn unevenly. If you cannot see them, use the button below the form."></p>
<p><label for="answer">Characters in the picture</label><br>
<input id="answer" name="answer" required maxlength="16" autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="${described}">
<button>Continue</button></p><p id="hint">Five letters or digits; upper and lower case are the same.</p>
<input type="hidden" name="token" value="${escapeHtml(captcha.token)}"><input type="hidden" name="return" value="${escapeHtml(returnTo)}"></form>
<div id="proof" data-to="${escapeHtml(returnTo)}" ${puzzleData(alternative, request.method)}><p>Cannot read it? Your browser can do a computation instead; it takes a few seconds.</p>
<button id="start" type="button">Check my browser instead</button>${progress}</div>
<noscript><p>The computation needs JavaScript; the picture does not.</p></noscript>`;
  return page(pages.captcha, request, content, 'captcha');
}

function page(text: Page, request: PageRequest, content: string, kind: string): Reply {
  const { texts, reference, time, nonce } = request;
  const parts = { content, nonce, script: pageScript };
  const body = renderHtml(wordingOf(text, texts), reference, time, parts);
  return { status: text.status, headers: [...htmlHeaders(nonce, kind), 'X-Request-Id', reference], body };
}

/** What a program gets that cannot take a challenge: why, and how a person would pass. */
export function challengeJson(kind: 'js' | 'captcha', request: PageRequest): Reply {
  const text = kind === 'js' ? pages.challenge : pages.captcha;
  const plain: Page = {
    status: text.status,
    code: text.code,
    title: text.title,
    detail: 'This site asks for proof that a browser is there. Open it in a browser first.',
  };
  const body = JSON.parse(renderJson(plain, wordingOf(plain, undefined), request.reference, request.time));
  const headers = [...base, 'Content-Type', 'application/json; charset=utf-8', 'Portcullis-Challenge', kind];
  return {
    status: plain.status,
    headers: [...headers, 'X-Request-Id', request.reference],
    body: `${JSON.stringify({ ...body, challenge: kind })}\n`,
  };
}
