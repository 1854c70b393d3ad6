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
