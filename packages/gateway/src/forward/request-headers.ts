import { passCookie } from '../challenge/index.ts';
import { type Exchange, lowerName } from '../exchange/index.ts';

/** Names that never go on: hop-by-hop fields (RFC 9110 §7.6.1), and what the gateway states itself. */
const dropped = new Set([
  'connection',
  'keep-alive',
  // CGI makes HTTP_PROXY of it, by which programs send on what they ask of others: CVE-2016-5385.
  'proxy',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-forwarded-prefix',
  'x-real-ip',
  'x-request-id',
]);

/**
 * Further names that applications take for the word of a proxy in front: trusted proxies may send them, for anyone else
 * they are a way past what was checked.
 */
const proxysOwn = new RegExp(
  `^(?:${[
    // The client's address: a limit, a list or a log of the application would count for another.
    `ali-cdn-real-ip cf-connecting-ip(?:v6)? cf-pseudo-ipv4 client-ip cloudfront-viewer-.* do-connecting-ip
     fastly-client-ip fly-client-ip forwarded-for (?:wl-)?proxy-client-ip remote-addr true-client-ip x-appengine-user-ip
     x-azure-(?:client|socket)ip x-client-ip x-cluster-client-ip x-envoy-external-address x-envoy-internal
     x-nf-client-connection-ip x-originating-ip x-proxyuser-ip x-remote-(?:addr|ip) x-forwarded(?:-.*)?`,
    // How it came: cookies would go unsecured, or redirects go round.
    'cf-visitor cloudfront-forwarded-proto fastly-ssl front-end-https x-arr-ssl x-url-scheme',
    // Host and path: another page than the one that was looked at, or a poisoned link in a mail.
    'x-host x-http-destinationurl x-http-host(?:-override)? x-original-.* x-override-url x-rewrite-url x-waws-unencoded-url',
    // Who it is: the proxy in front has asked for a password or a certificate, nobody asks again.
    `cf-access-authenticated-user-email client-cert(?:-chain)? remote-(?:email|groups|name|user) ssl-client-.*
     x-amzn-(?:mtls|oidc)-.* x-appengine-(?:cron|inbound-appid|queuename|taskname) x-arr-clientcert x-auth-request-.*
     x-client-(?:cert|dn|verify)(?:-.*)? x-goog-authenticated-user-.* x-ms-client-principal(?:-.*)? x-remote-user
     x-ssl-.* x-webauth-.*`,
    // What a web server is to do with a file: CVE-2025-61780.
    'x-accel-.* x-sendfile-type',
  ]
    .join(' ')
    .split(/\s+/)
    .join('|')})$`,
);

type Fate = 'goes on' | 'from proxies' | 'dropped';

const fates = new Map<string, Fate>();

function fateOf(rawName: string): Fate {
  const known = fates.get(rawName);
  if (known !== undefined) return known;
  const fate = judgeName(rawName.toLowerCase());
  if (fates.size < 2000 && rawName.length <= 64) fates.set(rawName, fate);
  return fate;
}

/** CGI-style servers read `X_Real_IP`, and some `X.Real.IP`, as the same header: each spelling has one fate. */
function judgeName(name: string): Fate {
  const alike = name.replaceAll(/[^a-z0-9]/g, '-');
  if (name.startsWith(':') || dropped.has(alike)) return 'dropped';
  if (alike !== name && (alike === 'content-length' || alike === 'host')) return 'dropped';
  return proxysOwn.test(alike) ? 'from proxies' : 'goes on';
}

/**
 * The header list for the upstream: the client's without hop-by-hop fields, then what the gateway knows of the
 * client. Forwarding headers of the client itself were dropped, for anyone can write them.
 * @param options.host sent instead of the client's Host
 * @param options.mark added to those of other proxies, see {@link loopMark}
 * @param options.onlyReadable asks for no content coding that the gateway cannot read
 */
export function upstreamHeaders(
  exchange: Exchange,
  options: { readonly host: string | undefined; readonly mark: string; readonly onlyReadable: boolean },
): string[] {
  const raw = exchange.rawHeaders;
  const { head, clientIp, scheme } = exchange;
  const host = head.host ?? exchange.host;
  const headers: string[] = ['host', options.host ?? host];
  const named = namedByConnection(head.connection);
  // What is cut out of the middle of a compressed body cannot be read. Who has the beginning of that gets another ETag.
  const isRange = options.onlyReadable && exchange.header('range') !== undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const fate = fateOf(name);
    if (fate === 'dropped' || (fate === 'from proxies' && !exchange.byProxy)) continue;
    const lower = lowerName(name);
    if (lower === 'host' || named?.has(lower)) continue;
    let value = raw[i + 1] ?? '';
    if (lower === 'cookie') {
      value = withoutPass(value);
      if (value === '') continue;
    } else if (options.onlyReadable && lower === 'accept-encoding') {
      if (isRange) continue;
      value = readable(value);
    }
    headers.push(name, value);
  }
  if (isRange) headers.push('accept-encoding', 'identity');
  headers.push(
    'x-forwarded-for',
    exchange.forwardedChain === undefined ? clientIp : `${exchange.forwardedChain}, ${exchange.peerIp}`,
    'x-forwarded-proto',
    scheme,
    'x-forwarded-host',
    host,
    'forwarded',
    `for=${clientIp.includes(':') ? `"[${clientIp}]"` : clientIp};proto=${scheme};host="${host}"`,
    'x-request-id',
    exchange.id,
    'cdn-loop',
    options.mark,
  );
  return headers;
}

/** A pass is the gateway's own: an upstream that logged it would keep what opens the gateway. */
function withoutPass(cookies: string): string {
  if (!cookies.includes(passCookie)) return cookies;
  const others = cookies.split(';').filter((cookie) => !cookie.trimStart().startsWith(`${passCookie}=`));
  return others.join(';').trim();
}

const readableCodings = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'identity']);

/** Browsers also offer dictionaries that they keep (RFC 9842), and programs anything at all (`*`). */
function readable(codings: string): string {
  const kept = codings.split(',').filter((one) => {
    const [name = ''] = one.split(';');
    return readableCodings.has(name.trim().toLowerCase());
  });
  return kept.join(',').trim() || 'identity';
}

function namedByConnection(connection: string | undefined): Set<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return new Set(connection.split(',').map((token) => token.trim().toLowerCase()));
}
