import type { Detector, Finding } from '../../rules/index.ts';
import { type InternalKind, internalHost } from './addresses.ts';

export type SsrfFinding = InternalKind | 'odd scheme' | 'confusing address';

/** Finds addresses that a server would fetch from the inside of its network. */
export const ssrfDetector: Detector = {
  name: 'server-side address',
  gate: {
    allOf: [
      [
        ...['//', '\\\\', '/\\', '\\/', 'metadata'],
        ...['gopher:', 'dict:', 'jar:', 'netdoc:', 'tftp:', 'sftp:', 'telnet:'],
      ],
    ],
  },
  detect: detectAddresses,
};

const maxAddresses = 16;
const oddSchemes =
  /^(?:gopher|dict|tftp|ldaps?|sftp|jar|netdoc|imap|pop3|telnet|smb|rtsp|redis|memcached?|mongodb|mysql|postgres(?:ql)?|view-source|unix|docker|fcgi|fastcgi)$/i;
const oddSchemeFirst = /^\s{0,9}(?:url:)?(?:gopher|dict|jar|netdoc|tftp|sftp|telnet):/i;
const slashes = /[/\\]{2}/g;
const authorityPattern = /[^\s/?#"'<>\\,;{}|]{1,255}/y;

function detectAddresses(text: string): readonly Finding[] {
  const found = new Map<string, Finding>();
  const scheme = oddSchemeFirst.exec(text);
  if (scheme) found.set('odd scheme', { kind: 'odd scheme', span: [0, scheme[0].length] });
  slashes.lastIndex = 0;
  for (let count = 0; count < maxAddresses && slashes.test(text); count += 1) {
    const start = slashes.lastIndex;
    authorityPattern.lastIndex = start;
    const authority = authorityPattern.exec(text)?.[0];
    if (authority === undefined) continue;
    const name = schemeBefore(text, start - 2);
    // A backslash pair or a bare `//` is an address only where one may start.
    if (name === '' && start > 2 && /[\w/:\\]/.test(text.charAt(start - 3))) continue;
    const kind = judge(name, authority, start - 3 - name.length);
    if (kind && !found.has(kind)) found.set(kind, { kind, span: [start - 2, start + authority.length] });
  }
  return [...found.values()];
}

function schemeBefore(text: string, slash: number): string {
  if (text[slash - 1] !== ':') return '';
  let at = slash - 1;
  while (at > 0 && slash - at < 22 && /[\w+.-]/.test(text.charAt(at - 1))) at -= 1;
  return text.slice(at, slash - 1);
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
