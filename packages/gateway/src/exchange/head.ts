/** What the journey of a request asks of its head, gathered in one pass over the raw header list. */
export interface Head {
  host: string | undefined;
  hostCount: number;
  contentLength: string | undefined;
  contentLengthCount: number;
  transferEncoding: string | undefined;
  transferEncodingCount: number;
  expect: string | undefined;
  upgrade: string | undefined;
  connection: string | undefined;
  accept: string | undefined;
  userAgent: string | undefined;
  origin: string | undefined;
  cookie: string | undefined;
  forwardedFor: string | undefined;
  forwardedProto: string | undefined;
  cdnLoop: string | undefined;
  /** `Access-Control-Request-Method`, which makes an OPTIONS request a CORS preflight */
  preflightMethod: string | undefined;
}

const lowerCased = new Map<string, string>();

/**
 * Lower case of a header name, remembered: a site sees the same few spellings all day. The memory is capped,
 * for an attacker chooses names.
 */
export function lowerName(name: string): string {
  const known = lowerCased.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (lowerCased.size < 2000 && name.length <= 64) lowerCased.set(name, lower);
  return lower;
}

const emptyHead: Head = {
  host: undefined,
  hostCount: 0,
  contentLength: undefined,
  contentLengthCount: 0,
  transferEncoding: undefined,
  transferEncodingCount: 0,
  expect: undefined,
  upgrade: undefined,
  connection: undefined,
  accept: undefined,
  userAgent: undefined,
  origin: undefined,
  cookie: undefined,
  forwardedFor: undefined,
  forwardedProto: undefined,
  cdnLoop: undefined,
  preflightMethod: undefined,
};

const joined = (before: string | undefined, value: string, by: string) =>
  before === undefined ? value : `${before}${by}${value}`;

function take(head: Head, name: string, value: string): void {
  switch (name) {
    case 'host':
      head.host ??= value;
      head.hostCount++;
      break;
    case 'content-length':
      head.contentLength ??= value;
      head.contentLengthCount++;
      break;
    case 'transfer-encoding':
      head.transferEncoding ??= value;
      head.transferEncodingCount++;
      break;
    case 'expect':
      head.expect = value;
      break;
    case 'upgrade':
      head.upgrade = value;
      break;
    case 'connection':
      head.connection = joined(head.connection, value, ',');
      break;
    case 'accept':
      head.accept = joined(head.accept, value, ',');
      break;
    case 'user-agent':
      head.userAgent ??= value;
      break;
    case 'origin':
      head.origin ??= value;
      break;
    case 'cookie':
      head.cookie = joined(head.cookie, value, '; ');
      break;
    case 'x-forwarded-for':
      head.forwardedFor = joined(head.forwardedFor, value, ',');
      break;
    case 'x-forwarded-proto':
      head.forwardedProto = joined(head.forwardedProto, value, ',');
      break;
    case 'cdn-loop':
      head.cdnLoop = joined(head.cdnLoop, value, ',');
      break;
    case 'access-control-request-method':
      head.preflightMethod ??= value;
      break;
  }
}

/** @param raw names and values in turn, as they came off the wire */
export function readHead(raw: readonly string[]): Head {
  const head = { ...emptyHead };
  for (let i = 0; i + 1 < raw.length; i += 2) take(head, lowerName(raw[i] ?? ''), raw[i + 1] ?? '');
  return head;
}
