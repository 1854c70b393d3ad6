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
]);

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
  readonly contentType: string | undefined;
}

/**
 * @param raw undici's raw list, names and values in turn; bytes are read as latin1, so that what the upstream
 * wrote is what the client gets
 * @param withheld lower-case names that the gateway answers itself on this site, such as CORS headers
 */
export function clientHeaders(
  raw: readonly (Buffer | string)[],
  withheld: ReadonlySet<string> | undefined,
): ResponseHead {
  const headers: string[] = [];
  let length: number | undefined;
  let hasDate = false;
  let contentType: string | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const { name, lower, drop } = known(text(raw[i]));
    if (drop || withheld?.has(lower)) continue;
    const value = text(raw[i + 1]);
    if (lower === 'content-length') length = Number(value);
    else if (lower === 'date') hasDate = true;
    else if (lower === 'content-type') contentType = value;
    headers.push(name, value);
  }
  return { headers, length, hasDate, contentType };
}

const text = (value: Buffer | string | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : value.toString('latin1');
