import { inspectSeclang, loadSeclang, type RunInput, type SeclangRules } from '../index.ts';

/** Rules from the text of one file. */
export function rulesFrom(text: string, more: Readonly<Record<string, string>> = {}): SeclangRules {
  return loadSeclang(new Map([['test.conf', text], ...Object.entries(more)]), { entries: ['test.conf'] });
}

/** Ids of the rules that match a GET of a target, in order. */
export function matching(
  rules: SeclangRules,
  target: string,
  input: Partial<RunInput> = {},
  clientIp = '192.0.2.7',
): number[] {
  const request = {
    method: 'GET',
    target,
    httpVersion: '1.1',
    scheme: 'http',
    headers: [['Host', 'shop.example.com']],
    clientIp,
  } as const;
  return inspectSeclang(rules, { request, ...input }).matches.map(({ id }) => id);
}

/** What differs from a GET of `/` by 192.0.2.7. */
export interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly httpVersion?: string;
  readonly clientIp?: string;
  readonly uniqueId?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
  readonly response?: { readonly status: number; readonly type?: string; readonly body?: string };
}

/** Ids of the rules that match it, in order. */
export function matches(rules: SeclangRules, sent: Sent): number[] {
  const { headers = [], body, response } = sent;
  const request = {
    method: sent.method ?? 'GET',
    target: sent.target ?? '/',
    httpVersion: sent.httpVersion ?? '1.1',
    scheme: 'http',
    headers: [['Host', 'shop.example.com'] as const, ...headers],
    clientIp: sent.clientIp ?? '192.0.2.7',
    ...(body !== undefined && { body }),
  } as const;
  return inspectSeclang(rules, {
    request,
    context: { startedAtMs: Date.UTC(2026, 0, 1), uniqueId: sent.uniqueId ?? 'aB3' },
    ...(response && {
      response: {
        status: response.status,
        headers: [['Content-Type', response.type ?? 'text/html']],
        body: Uint8Array.from(response.body ?? '', (char) => char.charCodeAt(0)),
      },
    }),
  }).matches.map(({ id }) => id);
}
