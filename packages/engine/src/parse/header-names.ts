/** What structure checks and the readers of bodies ask for. Only these are kept by name: most requests have fourteen headers, and nobody asks for ten of them. */
export const notedHeaders = [
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'destination',
  'host',
  'origin',
  'referer',
  'sec-fetch-site',
  'slug',
  'transfer-encoding',
  'upgrade',
  'x-file-name',
  'x-filename',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x.filename',
  'x_filename',
] as const;
export type NotedHeader = (typeof notedHeaders)[number];

/** A header's name, read. */
export interface HeaderName {
  /** lower case */
  readonly name: string;
  /** the same, where it is asked for */
  readonly noted: NotedHeader | undefined;
  /** whether browsers and proxies send it all the time */
  readonly isCommon: boolean;
}

const common = `accept accept-charset accept-encoding accept-language access-control-request-headers
access-control-request-method authorization cache-control connection content-encoding content-length content-type
cookie date dnt expect forwarded from host if-match if-modified-since if-none-match if-range if-unmodified-since
keep-alive origin pragma priority proxy-connection range referer save-data sec-ch-ua sec-ch-ua-mobile
sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user sec-gpc te trailer transfer-encoding
upgrade upgrade-insecure-requests user-agent via x-csrf-token x-forwarded-for x-forwarded-host x-forwarded-proto
x-real-ip x-request-id x-requested-with`.split(/\s+/);

const noted = new Map<string, NotedHeader>(notedHeaders.map((name) => [name, name]));

/** as sent → read: the common ones in lower case and as HTTP/1 writes them */
const known = new Map<string, HeaderName>(
  common.flatMap((name) => {
    const read: HeaderName = { name, noted: noted.get(name), isCommon: true };
    return [
      [name, read],
      [name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()), read],
    ];
  }),
);

/** Reads a name as it was sent. */
export function headerName(sent: string): HeaderName {
  const found = known.get(sent);
  if (found) return found;
  const name = sent.toLowerCase();
  return { name, noted: noted.get(name), isCommon: false };
}
