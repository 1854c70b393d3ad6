/** RFC 9110 §7.6.1; framing towards the client is the listener's own. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/**
 * Fields that have no place behind a body, where a recipient may take them for the head's: framing, routing, caching,
 * authentication and what tells how to read the body. RFC 9110 §6.5.1
 */
const headOnly =
  /^(?:content-.*|age|allow|cache-control|date|etag|expires|host|last-modified|location|pragma|range|retry-after|server|set-cookie|strict-transport-security|vary|www-authenticate|access-control-.*|alt-svc|clear-site-data|link|refresh|x-frame-options)$/;

interface Known {
  readonly name: string;
  readonly lower: string;
  readonly drop: boolean;
}

const names = new Map<string, Known>();

function known(raw: string): Known {
  const before = names.get(raw);
  if (before !== undefined) return before;
  const lower = raw.toLowerCase();
  const entry = { name: raw, lower, drop: hopByHop.has(lower) };
  if (names.size < 2000 && raw.length <= 64) names.set(raw, entry);
  return entry;
}

/** An upstream's answer head, as the client gets it. */
export interface ResponseHead {
  /** names and values in turn, repeats kept */
  readonly headers: string[];
  /** bytes of the body; undefined where the upstream did not say */
  readonly length: number | undefined;
  readonly hasDate: boolean;
  /** why nobody could say what the client would make of the body */
  readonly problem: string | undefined;
}

/**
 * @param raw undici's raw list, names and values in turn; bytes are read as latin1, so that what the upstream
 * wrote is what the client gets
 * @param withheld lower-case names that the gateway answers itself on this site, such as CORS headers
 * @param bodyless where the status allows no body, so that no length may be said: RFC 9110 §8.6 and §15.3.6
 */
export function clientHeaders(
  raw: readonly (Buffer | string)[],
  withheld?: ReadonlySet<string> | undefined,
  bodyless = false,
): ResponseHead {
  const headers: string[] = [];
  let length: number | undefined;
  let hasDate = false;
  let problem: string | undefined;
  let connection: string | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const { name, lower, drop } = known(text(raw[i]));
    if (drop) {
      if (lower === 'transfer-encoding') problem = codingProblem(text(raw[i + 1]));
      else if (lower === 'connection') connection = text(raw[i + 1]);
      continue;
    }
    if (withheld?.has(lower)) continue;
    const value = text(raw[i + 1]);
    if (lower === 'content-length') {
      if (bodyless) continue;
      length = Number(value);
    } else if (lower === 'date') hasDate = true;
    headers.push(name, value);
  }
  return { headers: withoutNamed(headers, connection), length, hasDate, problem };
}

/** A coding beneath `chunked` is one that the client is never told of: RFC 9112 §6.1. */
const codingProblem = (value: string) =>
  value.trim().toLowerCase() === 'chunked' ? undefined : `its Transfer-Encoding is '${value.slice(0, 64)}'`;

/** What `Connection` names is for us alone: RFC 9110 §7.6.1. The length of the body is not to be lost with it. */
function withoutNamed(headers: string[], connection: string | undefined): string[] {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) return headers;
  const named = new Set(connection.split(',').map((token) => token.trim().toLowerCase()));
  named.delete('content-length');
  return headers.filter((_text, at) => !named.has(headers[at - (at % 2)]?.toLowerCase() ?? ''));
}

/** @returns what an upstream said behind its body, by name, without what belongs into a head alone */
export function clientTrailers(raw: readonly (Buffer | string)[]): Map<string, string[]> {
  const trailers = new Map<string, string[]>();
  const { headers } = clientHeaders(raw);
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i]?.toLowerCase() ?? '';
    if (headOnly.test(name)) continue;
    const values = trailers.get(name) ?? [];
    values.push(headers[i + 1] ?? '');
    trailers.set(name, values);
  }
  return trailers;
}

const text = (value: Buffer | string | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : value.toString('latin1');
