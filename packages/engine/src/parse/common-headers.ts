const names = `accept accept-charset accept-encoding accept-language access-control-request-headers
access-control-request-method authorization cache-control connection content-encoding content-length content-type
cookie date dnt expect forwarded from host if-match if-modified-since if-none-match if-range if-unmodified-since
keep-alive origin pragma priority proxy-connection range referer save-data sec-ch-ua sec-ch-ua-mobile
sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user sec-gpc te trailer transfer-encoding
upgrade upgrade-insecure-requests user-agent via x-csrf-token x-forwarded-for x-forwarded-host x-forwarded-proto
x-real-ip x-request-id x-requested-with`.split(/\s+/);

const known = new Map<string, string>(
  names.flatMap((name) => [
    [name, name],
    [name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase()), name],
  ]),
);

/** The lower-case form of a header that browsers and proxies send all the time; undefined for any other. */
export function commonHeader(sent: string): string | undefined {
  return known.get(sent);
}
