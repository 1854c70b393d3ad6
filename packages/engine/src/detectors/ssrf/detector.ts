import type { Detector, Finding } from '../../rules/index.ts';
import { elementOfText } from '../prose.ts';
import { type InternalKind, internalHost, isDisguised } from './addresses.ts';

export type SsrfFinding =
  | InternalKind
  | 'disguised address'
  | 'odd scheme'
  | 'network share'
  | 'data source'
  | 'confusing address'
  | 'address behind markup'
  | 'address before words'
  | 'page before words'
  | 'address behind words';

/** Finds addresses that a server would fetch from the inside of its network. */
export const ssrfDetector: Detector = {
  name: 'server-side address',
  gate: {
    allOf: [
      [
        ...['//', '\\\\', '/\\', '\\/', 'metadata'],
        ...['gopher:', 'dict:', 'jar:', 'netdoc:', 'tftp:', 'sftp:', 'telnet:', 'unix:', 'http:', 'https:'],
      ],
    ],
  },
  detect: detectAddresses,
};

const maxAddresses = 16;
const oddSchemes =
  /^(?:gopher|dict|tftp|sftp|jar|netdoc|imap|pop3|telnet|rtsp|memcached?|view-source|unix|docker|fcgi|fastcgi)$/i;
/** Schemes of drivers, not of anything that fetches: they stand in the settings of every application. */
const dataSources = /^(?:redis|rediss|mongodb|mysql|mariadb|postgres(?:ql)?|sqlserver|amqps?)$/i;
/**
 * Something and white space before it, and no markup but the bracket of an address in Markdown: a sentence, a line of a program or of
 * settings.
 */
const toldBefore =
  /^[^<]{0,8000}\S\s+(?!(?:[\w-]{1,20}:)?(?:href|src|action|schemalocation|system)\b)[^\s<]{0,40}<?$/i;
/** `http://localhost:3000/?a=b works on my machine`: a path may hold spaces, so only where people write. */
const pageBeforeWords = /^[/?#][^\s"'<>]{0,180} [a-z]{2,20} [a-z]{2,20}(?: [a-z]{2,20}|[ .,?!]|$)/i;
/** `http://localhost:3000 not working`: right behind a host white space ends an address for every parser of one. */
const beginsSentence = /^ [a-z]{2,20} [a-z]{2,20}(?=[ .,?!]|$)/i;
const elementsOfText = new RegExp(elementOfText.source, 'gi');
/** Enough to look like a sentence, where only an address is asked for. */
const fewWords = /^[ \t-\r]{0,9}(?:[\w.,:'"\x80-\xff-]{1,40}[ \t-\r]{1,9}){1,3}["'(<]?$/;
/** A link is for whoever reads it; what a server loads for itself are frames, pictures and styles. */
const inLink = /<a\s[^<>]{0,200}(?:\bhref\s?=\s?["']?|>[^<>]{0,60})$/i;
/** 'sftp:// or ssh://' is about schemes. */
const oddSchemeFirst =
  /^\s{0,9}(?:url:)?(?:gopher|dict|jar|netdoc|tftp|sftp|telnet|unix):(?!(?:\/\/)?(?:\s|$))/i;
/** `smb://[workgroup/]server`: what an address looks like, and no address of IPv6. */
const placeholder = /^\[[\da-f]{0,40}[g-z\x80-\xff]/i;
/** `http:127.0.0.1`, `https:/localhost`: parsers of browsers and of several languages read on. */
const withoutSlashes =
  /^\s{0,9}https?:(?:\/|[/\\]{4,9})?(?=[\w[@%\xe2\xef])([^\x00-\x20/?#"'<>\\,;{}|]{1,255})/i;
const slashes = /[/\\]{2,3}/g;
// Not \s, which would take a byte of UTF-8 for a space.
const authorityPattern = /[^\x00-\x20/?#"'<>\\,;{}|]{1,255}/y;
const plainName = /^[\w.-]+$/;
/** `//public#@internal`, `//public\@internal`: which of the two a parser takes for the host is a matter of luck. */
const secondHost = /[#\\]@([^\x00-\x20/?#"'<>\\,;{}|@]{1,255})/y;

const letterH = 104;
const atSign = 64;

/** Parsers of browsers and of Python take tabs and line breaks out of an address before they read it. WHATWG URL §4.4 */
const broken =
  /^[\x00-\x20]{0,9}h[\t\r\n]{0,3}t[\t\r\n]{0,3}t[\t\r\n]{0,3}p[\t\r\n]{0,3}s?[\t\r\n]{0,3}:[\t\r\n/\\]{1,9}[^\x00-\x08\x0b\x0c\x0e-\x20]{1,255}/i;
const breaks = /[\t\r\n]+/g;

/** An address that such characters break, as it is read; undefined for any other text. */
function mended(text: string): { readonly whole: string; readonly length: number } | undefined {
  const address = text.search(/[\t\r\n]/) < 0 ? undefined : broken.exec(text)?.[0];
  if (address === undefined) return undefined;
  const whole = address.replace(breaks, '');
  return whole.length < address.trim().length ? { whole, length: address.length } : undefined;
}

/** An address of a name, and nothing that could begin another behind it: what nearly every text is that holds one. */
const plainAddress = /^https?:\/\/([\w.-]{1,255})(?:$|[/?](?!\/))/i;

const none: readonly Finding[] = [];

function detectAddresses(text: string): readonly Finding[] {
  const plain = plainAddress.exec(text);
  if (
    plain &&
    text.indexOf('//', plain[0].length) < 0 &&
    !text.includes('\\') &&
    !internalHost(plain[1] ?? '')
  )
    return none;
  const found = new Map<string, Finding>();
  // Nearly every text that is an address begins with http.
  const scheme = (text.charCodeAt(0) | 32) === letterH ? null : oddSchemeFirst.exec(text);
  if (scheme) found.set('odd scheme', { kind: 'odd scheme', span: [0, scheme[0].length] });
  const read = mended(text);
  if (read)
    for (const { kind } of detectAddresses(read.whole)) found.set(kind, { kind, span: [0, read.length] });
  const short = withoutSlashes.exec(text);
  const shortKind = short && judge('http', short[1] ?? '', 0);
  if (short && shortKind) found.set(shortKind, { kind: shortKind, span: [0, short[0].length] });
  slashes.lastIndex = 0;
  for (let count = 0; count < maxAddresses && slashes.test(text); count += 1) {
    const start = slashes.lastIndex;
    authorityPattern.lastIndex = start;
    if (!authorityPattern.test(text)) continue;
    const end = authorityPattern.lastIndex;
    const authority = text.slice(start, end);
    const opening = text.startsWith('///', start - 3) && start > 2 ? start - 3 : start - 2;
    const name = schemeBefore(text, opening);
    // A backslash pair or a bare `//` is an address only where one may start.
    if (name === '' && opening > 0 && /[\w/:\\]/.test(text.charAt(opening - 1))) continue;
    secondHost.lastIndex = end;
    const second = text.charCodeAt(end + 1) === atSign ? secondHost.exec(text)?.[1] : undefined;
    const kind =
      judge(name, authority, opening - 1 - name.length) ??
      (second === undefined ? undefined : internalHost(hostOf(second)));
    if (kind === 'loopback' || kind === 'private') {
      const before = text.slice(0, Math.max(0, opening - 1 - name.length));
      if (isTold(before)) {
        if (!fewWords.test(before)) continue;
        found.set('address behind words', { kind: 'address behind words', span: [start - 2, end] });
        continue;
      }
      const among = beginsSentence.test(text.slice(end, end + 60))
        ? 'address before words'
        : !isDisguised(hostOf(authority)) && pageBeforeWords.test(text.slice(end, end + 260))
          ? 'page before words'
          : isToldInMarkup(before)
            ? 'address behind markup'
            : undefined;
      if (among) {
        found.set(among, { kind: among, span: [start - 2, end] });
        continue;
      }
    }
    if (kind && !found.has(kind)) found.set(kind, { kind, span: [start - 2, end] });
    if ((kind === 'loopback' || kind === 'private') && name !== '' && isDisguised(hostOf(authority)))
      found.set('disguised address', { kind: 'disguised address', span: [start - 2, end] });
  }
  return [...found.values()];
}

function isTold(before: string): boolean {
  return toldBefore.test(before) || inLink.test(before.slice(-240));
}

/** `<p>Open <code>http://localhost:3000`: the same sentence from an editor of rich text; the rules ask in which fields. */
function isToldInMarkup(before: string): boolean {
  return before.startsWith('<') && toldBefore.test(before.replace(elementsOfText, ''));
}

function hostOf(authority: string): string {
  return /^(\[[^\]]{0,60}\]|[^:@]{0,253})/.exec(authority)?.[1] ?? '';
}

const schemeBytes = Uint8Array.from({ length: 256 }, (_unused, code) =>
  /[\w+.-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

function schemeBefore(text: string, slash: number): string {
  if (text[slash - 1] !== ':') return '';
  let at = slash - 1;
  while (at > 0 && slash - at < 22 && schemeBytes[text.charCodeAt(at - 1) & 255] === 1) at -= 1;
  return text.slice(at, slash - 1);
}

function judge(scheme: string, authority: string, index: number): SsrfFinding | undefined {
  const special = scheme === 'https' || scheme === 'http' ? undefined : judgeScheme(scheme, authority, index);
  if (special) return special;
  // `http://unix:/var/run/docker.sock:/containers`: clients of HTTP open the socket.
  if (authority === 'unix:') return 'odd scheme';
  // Nearly every address is a name and nothing else; a quarter of this detector's time is spared here.
  if (plainName.test(authority)) return internalHost(authority);
  const at = authority.lastIndexOf('@');
  const kind = internalHost(hostOf(authority.slice(at + 1)));
  if (kind) return kind;
  // `http://127.0.0.1:80@public`: some parsers stop at the first host.
  if (at > 0 && /^[\d.]{7,15}(?::\d{1,5})?$/.test(authority.slice(0, at))) {
    const first = internalHost(hostOf(authority));
    if (first) return first;
  }
  // `http://trusted.example@evil.example`, `http://a.example:80@10.0.0.1`: whom does it lead to?
  // `http://a@127.0.0.1:80@public`: of several hosts any may be the one
  const [, between] = authority.split('@');
  if (between !== undefined && authority.split('@').length > 2) {
    const second = internalHost(hostOf(between));
    if (second) return second;
  }
  return at > 0 && /\.\w{2,}(?::\d{1,5})?$/.test(authority.slice(0, at)) && /^https?$/i.test(scheme)
    ? 'confusing address'
    : undefined;
}

/** A name without a domain or of a domain for networks of one's own (RFC 6762, RFC 8375), or a private address. */
function isOfOwnNetwork(host: string): boolean {
  const kind = internalHost(host);
  if (kind !== undefined) return kind === 'private' && !isDisguised(host);
  return /^[a-z][\w-]{0,62}(?:\.(?:local|lan|home|internal|intranet|corp|home\.arpa))?$/i.test(host);
}

function judgeScheme(scheme: string, authority: string, index: number): SsrfFinding | undefined {
  if (oddSchemes.test(scheme) && index < 16 && !placeholder.test(authority)) return 'odd scheme';
  if (/^smb$/i.test(scheme) && index < 16 && !placeholder.test(authority))
    return isOfOwnNetwork(hostOf(authority.slice(authority.lastIndexOf('@') + 1)))
      ? 'network share'
      : 'odd scheme';
  if (dataSources.test(scheme)) return 'data source';
  if (!/^ldaps?$/i.test(scheme)) return undefined;
  return internalHost(hostOf(authority.slice(authority.lastIndexOf('@') + 1))) ? 'odd scheme' : 'data source';
}
