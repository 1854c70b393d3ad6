import type { TriedRequest } from '@portcullis/contract/protection';

/** A request as it was pasted, or the line that cannot be read. */
export type Pasted =
  | { ok: true; request: Pick<TriedRequest, 'method' | 'target' | 'headers' | 'body'> }
  | { ok: false; line: number; problem: 'empty' | 'first' | 'header' };

const firstLine = /^(?:([!#$%&'*+.^_`|~\w-]+)\s+)?(\S+)(?:\s+HTTP\/[\d.]+)?\s*$/i;

/**
 * Reads a request as tools print it: `GET /path HTTP/1.1`, headers, an empty line, the body. A path or a URL alone is
 * a GET of it.
 */
export function readPasted(text: string): Pasted {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const start = lines.findIndex((line) => line.trim() !== '');
  if (start === -1) return { ok: false, line: 1, problem: 'empty' };
  const [, method, address = ''] = firstLine.exec(lines[start]?.trim() ?? '') ?? [];
  const place = placeOf(address);
  if (place === undefined) return { ok: false, line: start + 1, problem: 'first' };
  const headers = place.host === undefined ? [] : [{ name: 'Host', value: place.host }];
  for (let at = start + 1; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') return done(lines.slice(at + 1).join('\n'));
    const colon = line.indexOf(':');
    if (colon < 1) return { ok: false, line: at + 1, problem: 'header' };
    headers.push({ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() });
  }
  return done('');

  function done(body: string): Pasted {
    const request = { method: method?.toUpperCase() ?? 'GET', target: place?.target ?? '/', headers, body };
    return { ok: true, request };
  }
}

function placeOf(address: string): { target: string; host?: string } | undefined {
  if (address.startsWith('/')) return { target: address };
  const [, host, rest = ''] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(address) ?? [];
  if (host === undefined) return undefined;
  return { host, target: rest.startsWith('/') ? rest : `/${rest}` };
}
