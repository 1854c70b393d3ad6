import type { Detector, Finding } from '../../rules/index.ts';
import { type InternalKind, internalHost } from './addresses.ts';

export type SsrfFinding = InternalKind | 'odd scheme' | 'confusing address';

/** Finds addresses that a server would fetch from the inside of its network. */
export const ssrfDetector: Detector = {
  name: 'server-side address',
  gate: { allOf: [['//', ':\\\\', 'metadata', 'gopher:', 'dict:', 'jar:', 'netdoc:']] },
  detect: detectAddresses,
};

const maxAddresses = 16;
const address = /(?:\b([a-z][a-z0-9+.-]{1,20}):|(?<![:\w/]))(?:\/|\\){2}([^\s/?#"'<>\\,;{}|]{1,255})/gi;
const oddSchemes =
  /^(?:gopher|dict|tftp|ldaps?|sftp|jar|netdoc|imap|pop3|telnet|smb|rtsp|redis|memcached?|mongodb|mysql|postgres(?:ql)?|view-source|unix|docker|fcgi|fastcgi)$/i;

function detectAddresses(text: string): Finding[] {
  const found = new Map<string, Finding>();
  const scheme = /^\s{0,9}(?:url:)?(gopher|dict|jar|netdoc|tftp|sftp|telnet):/i.exec(text);
  if (scheme) found.set('odd scheme', { kind: 'odd scheme', span: [0, scheme[0].length] });
  address.lastIndex = 0;
  let count = 0;
  for (let match = address.exec(text); match && count < maxAddresses; match = address.exec(text)) {
    count += 1;
    const kind = judge(match[1] ?? '', match[2] ?? '', match.index);
    if (kind && !found.has(kind))
      found.set(kind, { kind, span: [match.index, match.index + match[0].length] });
  }
  return [...found.values()];
}

function judge(scheme: string, authority: string, index: number): SsrfFinding | undefined {
  if (oddSchemes.test(scheme) && index < 16) return 'odd scheme';
  const at = authority.lastIndexOf('@');
  const host = /^(\[[^\]]{0,60}\]|[^:]{0,253})/.exec(authority.slice(at + 1))?.[1] ?? '';
  const kind = internalHost(host);
  if (kind) return kind;
  // `http://trusted.example@evil.example`, `http://a.example:80@10.0.0.1`: whom does it lead to?
  return at > 0 && /\.\w{2,}(?::\d{1,5})?$/.test(authority.slice(0, at)) && /^https?$/i.test(scheme)
    ? 'confusing address'
    : undefined;
}
