import type { AccessLogFormat } from '@portcullis/contract/sites';
import type { Exchange } from '../exchange/index.ts';
import { jsonLine } from './json-line.ts';
import { maskTarget } from './mask.ts';

/**
 * One finished exchange as a line of the access log, in printable ASCII whatever the client sent. Secret parameters are
 * masked as in events; names are those of events too.
 * @param durationMs from the first byte to the last
 */
export function accessLine(format: AccessLogFormat, exchange: Exchange, durationMs: number): string {
  const path = withoutSecrets(exchange.target);
  const referer = withoutSecrets(exchange.header('referer') ?? '');
  const userAgent = (exchange.head.userAgent ?? '').slice(0, 512);
  return format === 'combined'
    ? combined(exchange, { path, referer, userAgent })
    : jsonLine({
        time: new Date(exchange.time).toISOString(),
        requestId: exchange.id,
        siteId: exchange.siteId,
        clientIp: exchange.clientIp.slice(0, 64),
        scheme: exchange.scheme,
        host: exchange.host.slice(0, 256),
        method: exchange.method.slice(0, 64),
        path,
        protocol: protocolOf(exchange),
        status: exchange.status,
        bytesIn: exchange.bytesIn,
        bytesOut: exchange.bytesOut,
        durationMs: rounded(durationMs),
        upstream: exchange.upstream,
        upstreamMs: exchange.upstreamMs === undefined ? undefined : rounded(exchange.upstreamMs),
        decision: exchange.outcome,
        ruleId: exchange.ruleId,
        userAgent,
        referer,
      });
}

const withoutSecrets = (url: string) => maskTarget(url.slice(0, 4096)).slice(0, 2048);

const rounded = (ms: number) => Math.round(ms * 1000) / 1000;

const protocolOf = ({ request }: Exchange) =>
  request.httpVersionMajor === 2 ? 'HTTP/2.0' : `HTTP/${request.httpVersion}`;

/** What nginx and Apache call combined. */
function combined(
  exchange: Exchange,
  { path, referer, userAgent }: { path: string; referer: string; userAgent: string },
): string {
  const request = `${exchange.method.slice(0, 64)} ${path} ${protocolOf(exchange)}`;
  // nginx's for who left before an answer.
  const status = exchange.status || 499;
  const client = quoted(exchange.clientIp.slice(0, 64)).replaceAll(' ', '') || '-';
  return `${client} - - [${clockTime(exchange.time)}] "${quoted(request)}" ${status} ${exchange.bytesOut} "${quoted(referer) || '-'}" "${quoted(userAgent) || '-'}"\n`;
}

/** As nginx escapes between quotes. */
const quoted = (text: string) =>
  text.replace(/[^\x20-\x7e]|["\\]/g, (char) => {
    const code = char.charCodeAt(0);
    return code > 0xff ? '?' : `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
  });

let second = 0;
let secondText = '';

/** `23/Nov/2026:01:08:07 +0000`, made once a second. */
function clockTime(time: number): string {
  const now = Math.floor(time / 1000);
  if (now === second) return secondText;
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ');
  second = now;
  secondText = `${day}/${month}/${year}:${clock} +0000`;
  return secondText;
}
