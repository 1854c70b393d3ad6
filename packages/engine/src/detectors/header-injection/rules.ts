import type { Part } from '../../parse/index.ts';
import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { patternRule, structureRule } from '../define.ts';
import { conflictingFraming, oddHost, repeatedSingular, smuggledHeader } from './structure.ts';

const category = 'header_injection' as const;

/** What ends up in headers. JSON does not: logs of whole requests travel in it. */
const reflected: readonly Part[] = ['path', 'query', 'form', 'cookie', 'header', 'filename'];

/** WebChannel, the transport of Firestore, sends the headers of its first request in this parameter. */
const headersOfChannel = ['$httpHeaders'];

function reflectedIn(parts: readonly Part[]) {
  return parts.map((part) => ({ part, ...(part === 'query' && { not: headersOfChannel }) }));
}

/** Fields of APIs whose text ends up in the head of a mail or a response. */
const headerBound =
  /(?:^|[._-])(?:e?mail|subject|from|to|b?cc|reply_?to|sender|recipient|name|redirect\w{0,10}|location|return_?ur[il]|next|file_?name|lang|language)$/i;

/** Line breaks that become headers: of a response, of a mail, of the next request. */
export const headerInjectionRules: readonly Rule[] = [
  patternRule({
    id: 'header-response-split',
    category,
    message: 'A line break followed by a header of a response',
    targets: reflectedIn(reflected),
    pattern: verbose('i')`
      [\r\n]\s{0,9}(?:
        (?:
          set-cookie
          |content-(?:type|length|disposition|encoding|security-policy)
          |transfer-encoding
          |access-control-allow-\w{1,20}
          |x-xss-protection
          |x-forwarded-\w{1,10}
          |cache-control
          |http-equiv
        )\s{0,9}:
        |location\s{0,9}:\s{0,9}(?:\w{2,8}:|\/|%)
        |link\s{0,9}:\s{0,9}<
        |status\s{0,9}:\s{0,9}\d{3}
        |host\s{0,9}:\s{0,9}[\w-]{1,60}[.:]\w
        |server\s{0,9}:\s{0,9}[\w.]{1,30}\/\d
        |refresh\s{0,9}:\s{0,9}\d
        |connection\s{0,9}:\s{0,9}(?:close|keep-alive|upgrade)
      )
    `,
  }),
  patternRule({
    id: 'header-status-line',
    category,
    message: 'A line break followed by a whole response or request',
    parts: reflected,
    pattern:
      /[\r\n]\s{0,9}(?:HTTP\/[\d.]{1,3}\s{1,9}\d{3}\b|(?:GET|POST|HEAD|PUT|DELETE|OPTIONS|TRACE|CONNECT)\s{1,9}\S{1,200}\s{1,9}HTTP\/\d)/,
  }),
  patternRule({
    id: 'header-mail',
    category,
    message: 'A line break followed by a header of a mail',
    targets: [
      ...reflectedIn(['query', 'form', 'cookie', 'path']),
      ...(['json', 'multipart', 'xml'] as const).map((part) => ({ part, path: headerBound })),
    ],
    // A mail that somebody quotes has its headers further down, or begins with one.
    pattern: verbose('i')`
      ^(?!\s{0,9}(?:from|to|subject|date|received|return-path|delivered-to|message-id):\s)[^\r\n]{0,300}(?:
        [\r\n]{1,2}[\w-]{2,30}:[^\r\n]{0,200}
      ){0,3}[\r\n]{1,2}\s{0,9}(?:
        b?cc|to|from|reply-to|subject|mime-version|content-type|return-path|sender|x-mailer
        |content-transfer-encoding
      )\s{0,9}:\s{0,9}(?:[^\r\n]{0,80}@|multipart\/|text\/|1\.0|[^\r\n]{1,80}$)
    `,
  }),
  patternRule({
    id: 'header-mail-copy',
    category,
    message: 'An address, a line break and a further recipient',
    parts: ['json', 'xml', 'multipart', 'body'],
    pattern:
      /^\s{0,9}[^\s@<>]{1,80}@[\w.-]{1,120}\s{0,3}[\r\n]{1,2}\s{0,9}b?cc\s{0,9}:\s{0,9}[^\r\n]{0,80}@/i,
  }),
  patternRule({
    id: 'header-smtp-command',
    category,
    message: 'A line break followed by a command of SMTP or IMAP',
    pattern: verbose('i')`
      [\r\n]\s{0,9}(?:
        (?:mail from|rcpt to)\s{0,9}:\s{0,9}<
        |(?:ehlo|helo)\s{1,9}[\w.-]{1,60}\s{0,9}[\r\n]
        |data\s{0,9}[\r\n]
        |quit\s{0,9}[\r\n]
        |v\d{3}\s{1,9}(?:create|capability|fetch|logout|list|select)\b
        |a\d{3}\s{1,9}(?:create|delete|select|rename|expunge|fetch|logout|login)\b
      )
    `,
  }),
  patternRule({
    id: 'header-any-break',
    category,
    message: 'A CRLF followed by any header',
    targets: reflectedIn(['path', 'query', 'cookie']),
    pattern:
      /\r\n\t?[A-Za-z][\w-]{2,30}:(?:\r\n)?[ \t]?[\w"'/*.-]|\r\n\r\n\s{0,9}<(?:html|head|body|script|h\d|svg|img|iframe|form|a)\b/i,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'header-line-break',
    category,
    message: 'A line feed behind a short value, and a header of an application',
    parts: ['path', 'query', 'cookie'],
    pattern: /^[^\r\n]{0,60}\n[ \t]{0,4}[xX]-[A-Za-z][\w-]{2,40}:\s?[^\r\n]{1,200}$/,
  }),
  patternRule({
    id: 'header-path-break',
    category,
    message: 'A line break in the path',
    parts: ['path'],
    pattern: /[\r\n]/,
  }),
  patternRule({
    id: 'header-unicode-break',
    category,
    message: 'A line break hidden in characters that a sloppy encoder cuts',
    pattern:
      /\xe5\x98[\x8a\x8d]\s{0,9}(?:\xe5\x98[\x8a\x8d]\s{0,9}){0,4}[\w-]{3,30}\s{0,9}:|\xc4\x8d\xc4\x8a[\w-]{3,30}\s{0,9}:/i,
  }),
  structureRule({
    id: 'header-framing',
    category,
    severity: 'critical',
    message: 'Headers that disagree on where the body ends',
    check: conflictingFraming,
  }),
  structureRule({
    id: 'header-repeated',
    category,
    message: 'A header that may stand once stands twice with different values',
    check: repeatedSingular,
  }),
  structureRule({
    id: 'header-host',
    category,
    message: 'A Host header that holds more than a host',
    check: oddHost,
  }),
  structureRule({
    id: 'header-smuggled',
    category,
    message: 'A header name or value with a control character',
    check: smuggledHeader,
  }),
];
