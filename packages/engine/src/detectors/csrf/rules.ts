import type { Rule, StructureCheck } from '../../rules/index.ts';
import { structureRule } from '../define.ts';

const category = 'csrf' as const;

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

function isUnsafe(method: string): boolean {
  return !safeMethods.has(method) && !safeMethods.has(method.toUpperCase());
}

function ownOrigins(host: string | undefined): readonly string[] {
  const name = (host ?? '').toLowerCase();
  return [`https://${name}`, `http://${name}`];
}

/** An unsafe request that a browser sent from a page of another origin, which is not one of the trusted. */
const foreignOrigin: StructureCheck = ({ headers }, { method, trustedOrigins }) =>
  isUnsafe(method) ? foreignOf(headers, trustedOrigins) : undefined;

function foreignOf(
  headers: ReadonlyMap<string, readonly string[]>,
  trustedOrigins: readonly string[],
): ReturnType<StructureCheck> {
  const origin = headers.get('origin')?.[0]?.toLowerCase();
  if (origin === undefined) return undefined;
  if (ownOrigins(headers.get('host')?.[0]).includes(origin) || trustedOrigins.includes(origin))
    return undefined;
  return { target: 'header:origin', value: origin };
}

/** The same, where a browser says so itself (Fetch Metadata) and names no origin. */
const crossSite: StructureCheck = ({ headers }, { method, trustedOrigins }) => {
  if (!isUnsafe(method) || headers.has('origin') || headers.get('sec-fetch-site')?.[0] !== 'cross-site')
    return undefined;
  const referer = /^https?:\/\/[^/?#]{1,255}/i.exec(headers.get('referer')?.[0] ?? '')?.[0].toLowerCase();
  if (referer !== undefined && trustedOrigins.includes(referer)) return undefined;
  return { target: 'header:sec-fetch-site', value: 'cross-site' };
};

/** Neither Origin nor Fetch Metadata, but a page of another host as the referring one: older browsers. */
const foreignReferer: StructureCheck = ({ headers }, { method, trustedOrigins }) => {
  if (!isUnsafe(method) || headers.has('origin') || headers.has('sec-fetch-site')) return undefined;
  const referer = headers.get('referer')?.[0];
  if (referer === undefined) return undefined;
  const origin = /^https?:\/\/[^/?#]{1,255}/i.exec(referer)?.[0].toLowerCase() ?? '';
  if (ownOrigins(headers.get('host')?.[0]).includes(origin) || trustedOrigins.includes(origin))
    return undefined;
  return { target: 'header:referer', value: referer };
};

/**
 * A WebSocket handshake is a GET that browsers send with cookies for any page, without asking: what is read and said
 * behind it is as the visitor. They always name the page's origin: RFC 6455 §10.2, OWASP's cross-site hijacking.
 */
const foreignWebSocket: StructureCheck = ({ headers }, { method, trustedOrigins }) => {
  if (isUnsafe(method) || headers.get('upgrade')?.[0]?.toLowerCase() !== 'websocket') return undefined;
  return foreignOf(headers, trustedOrigins);
};

/**
 * Forged requests, told by what browsers say of where a request comes from. Clients that are no browsers send
 * none of these headers and pass: they hold no cookies that a foreign page could use.
 */
export const csrfRules: readonly Rule[] = [
  structureRule({
    id: 'csrf-origin',
    category,
    message: 'An unsafe request from a page of another origin',
    check: foreignOrigin,
  }),
  structureRule({
    id: 'csrf-websocket',
    category,
    message: 'A WebSocket opened by a page of another origin',
    check: foreignWebSocket,
  }),
  structureRule({
    id: 'csrf-cross-site',
    category,
    message: 'An unsafe request that the browser calls cross-site',
    check: crossSite,
  }),
  structureRule({
    id: 'csrf-referer',
    category,
    message: 'An unsafe request whose referring page is of another host',
    check: foreignReferer,
    sensitivity: 'medium',
  }),
];
