import type { Part } from '../../parse/index.ts';
import type { Rule, StructureCheck } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { bodyParts, detectRule, patternRule, structureRule } from '../define.ts';
import { besideTexts, besideWords } from '../text-fields.ts';
import { internalHost } from './addresses.ts';
import { type SsrfFinding, ssrfDetector } from './detector.ts';

const category = 'ssrf' as const;
const parts: readonly Part[] = ['query', 'form', 'json', 'xml', 'multipart', 'cookie', 'body', 'path'];

/**
 * Where the browser is sent, or was: applications on the user's own machine sign in through a loopback address
 * (RFC 8252 §7.3), and analytics and traces (OTLP, attributes of a span) report the address as it was. A server fetches none of these.
 * The client of an identity provider lists where it may send the browser back to (RFC 7591 §2, `redirect_uris`).
 * The lists of servers that a proxy or a registry of services is set up with lead inside by intent.
 */
const forBrowsers = verbose('i')`
  (?:^|[._[-])(?:
    (?:post_?logout_?)?redirect_?ur[il]s?
    |return_?(?:to|ur[il])
    |next
    |continue
    |origin
    |aud
    |iss
    |dl
    |dr
    |dp
    |ref
    |referr?er
    |page_?(?:ur[il]|location)
    |document_?ur[il]
    |http\.url
    |\$?(?:current|initial|landing|exit)_?(?:url|href)
  )\]?$
  |(?:^|[._[-])(?:
      redirect_?ur[il]s|callback(?:_?ur[il])?s|(?:allowed_?|web_?|cors_?)?origins|(?:allowed_?)?logout_?ur[il]s
      |post_?logout_?redirect_?ur[il]s
    )(?:\]?\[|\.)\d{0,3}\]?$
  |(?:^|[._[-])(?:public|front_?end|site|app)_?url\]?$
  |(?:^|\.)servers\.\d{1,3}\.url$
  |(?:^|\.)(?:upstreams?|backends?)\.\d{1,3}(?:\.(?:url|address|host|server))?$
  |(?:^|\.)checks?\.(?:http|tcp|grpc)$
  |attributes\.\d{1,4}\.value\.string_?value$
`;

/**
 * What an application is told to watch, to scrape or to call in the network of those who run it: the name of the field says so,
 * which nobody who attacks a field chooses. Prometheus (`static_configs`), nodes of a workflow (n8n), monitors and devices. The
 * server itself, metadata and what is disguised stay attacks there.
 */
const ownNetwork = verbose('i')`
  (?:^|[._[-])(?:monitor|probe|scrape|health_?check|nas|camera|printer|plc)s?
  (?:_|(?:\]?\[|\.)(?:\d{1,3}(?:\]?\[|\.))?)?(?:ur[il]|address|endpoint|target|host)\]?$
  |(?:^|\.)(?:static_configs\.\d{1,3}\.targets\.\d{1,4}|nodes\.\d{1,4}\.parameters\.(?:base)?ur[il])$
`;
const insideByIntent = verbose('i')`${forBrowsers}|${ownNetwork}`;

/** A folder of the network by its address, as file managers, players and backups take it. */
const sharedFolder = verbose('i')`
  (?:^|[._[-])(?:
    (?:network_?|smb_?|samba_?)?(?:share|mount|folder|drive)s?|nas|samba|smb|cifs|unc|media|librar(?:y|ies)|storage|backup
  )(?:_?(?:path|ur[il]|folder|location|root))?\]?(?:[.[]\d{1,3}\]?)?$
`;

/** Names of fields that a server fetches from, and where nobody writes a sentence. */
const fetched = verbose('i')`
  (?:^|[._[-])(?:
    ur[il]s?|hosts?(?:_?name)?|addr(?:ess)?|href|link|src|endpoint|web_?hook|callback|proxy|feed|server|domain|target
    |site|avatar|image(?:_?ur[il])?|ur[il]_?to_?fetch
  )\]?$
`;

/** A deployment to the cluster that asks names its interface (Argo CD, `spec.destination.server`), and no other address inside. */
const deployedTo = /(?:^|\.)destination\.server$/;

/** Servers fetch the page before to tell of it, as analytics do. */
const metadataReferer: StructureCheck = ({ headers }) => {
  const value = headers.get('referer')?.[0];
  const host =
    value && /^https?:\/\/(?:[^/?#@\s]{0,80}@)?([^/?#:\s]{1,80}|\[[\da-f:.]{2,45}\])/i.exec(value)?.[1];
  return value && host && internalHost(host) === 'metadata' ? { target: 'header:referer', value } : undefined;
};

function address(
  finding: SsrfFinding,
  message: string,
  more: Partial<Pick<Rule, 'score' | 'sensitivity' | 'severity'>> & {
    readonly id?: string;
    readonly parts?: readonly Part[];
  } = {},
): Rule {
  const looked = more.parts ?? parts;
  return detectRule({
    id: `ssrf-${finding.replaceAll(' ', '-')}`,
    category,
    finding,
    message,
    detector: ssrfDetector,
    targets: (finding === 'metadata' || finding === 'cluster' ? [...looked, 'header' as const] : looked).map(
      (part) => ({
        part,
        ...(finding === 'loopback' && { notPath: forBrowsers }),
        ...(finding === 'private' && { notPath: bodyParts.includes(part) ? insideByIntent : forBrowsers }),
        ...(finding === 'network share' && bodyParts.includes(part) && { notPath: sharedFolder }),
        ...(finding === 'cluster' && part === 'json' && { notPath: deployedTo }),
      }),
    ),
    ...more,
  });
}

/** Addresses that lead a server into its own network. */
export const ssrfRules: readonly Rule[] = [
  address('metadata', 'The metadata service of a cloud', { severity: 'critical' }),
  patternRule({
    id: 'ssrf-metadata-host',
    category,
    severity: 'critical',
    message: 'The metadata service of a cloud, where a host is named alone',
    targets: [
      ...(['query', 'form', 'json', 'xml', 'multipart'] as const).map((part) => ({ part })),
      // the parameters of the page before, and hosts that a front end would ask
      { part: 'header', path: /^(?:referer\.|x-(?:forwarded-|original-)?host$|x-forwarded-server$)/ },
    ],
    // `169.254.169.254/32` is a range of addresses, as firewalls are told
    pattern: verbose('i')`
      (?:^|\b(?:host(?:name)?|url|uri|addr(?:ess)?|server|target|domain)\s{0,3}:\s{0,3}")\s?(?:
        169\.254\.(?:169\.254|170\.2)|100\.100\.100\.200|metadata\.google\.internal
      )(?:"|\s?$|:\d|\/[a-z])
    `,
  }),
  structureRule({
    id: 'ssrf-metadata-page',
    category,
    message: 'A page before that is of the metadata service, which nobody has seen in a browser',
    check: metadataReferer,
  }),
  address('cluster', 'The interface of the cluster that the server runs in', { severity: 'critical' }),
  address('link-local', 'A link-local address', { sensitivity: 'medium' }),
  address('loopback', 'The server itself', { parts: ['query', 'form', 'cookie', 'path'] }),
  address('loopback', 'The server itself, in a document', {
    id: 'ssrf-loopback-sent',
    parts: ['json', 'xml', 'multipart', 'body'],
    sensitivity: 'medium',
  }),
  // A browser writes every address in four decimal numbers, so none of these is where it was.
  address('disguised address', 'An address of the inside, written so as not to look like one'),
  address('unspecified', 'An address that stands for the server itself'),
  address('private', 'An address of a private network'),
  detectRule({
    id: 'ssrf-behind-markup',
    category,
    message: 'An address of the inside behind an element of text, where nobody writes one',
    detector: ssrfDetector,
    finding: 'address behind markup',
    targets: besideTexts(parts, forBrowsers),
    sensitivity: 'medium',
  }),
  detectRule({
    id: 'ssrf-before-words',
    category,
    message: 'An address of the inside that words follow, where nobody writes any',
    detector: ssrfDetector,
    finding: 'address before words',
    targets: besideWords(parts, forBrowsers),
    sensitivity: 'medium',
  }),
  detectRule({
    id: 'ssrf-page-before-words',
    category,
    message: 'A page of the inside that words follow, where nobody writes any',
    detector: ssrfDetector,
    finding: 'page before words',
    targets: besideTexts(parts, forBrowsers),
  }),
  detectRule({
    id: 'ssrf-behind-words',
    category,
    message: 'An address of the inside behind words, where an address is asked for',
    detector: ssrfDetector,
    finding: 'address behind words',
    targets: parts
      .filter((part) => part !== 'body' && part !== 'path')
      .map((part) => ({ part, path: fetched, notPath: forBrowsers })),
    sensitivity: 'medium',
  }),
  address('odd scheme', 'A scheme that speaks to other services than the web'),
  address('network share', 'A folder of the network, where no folder is asked for'),
  address('data source', 'The address of a database, as settings hold it', { score: 2, sensitivity: 'high' }),
  address('confusing address', 'A host name in the place of a user name', { score: 3, sensitivity: 'high' }),
];
