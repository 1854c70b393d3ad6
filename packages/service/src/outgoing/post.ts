import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Resolver, resolveDestination } from './resolve.ts';

/** What became of a call: an HTTP status, or in words why there is none. */
export type PostResult =
  | {
      readonly answered: true;
      readonly status: number;
      /** the start of the body as text */
      readonly body: string;
      /** what Retry-After asks for, where it is a number of seconds */
      readonly retryAfterSeconds?: number;
    }
  | {
      readonly answered: false;
      readonly reason: string;
      /** false where another attempt cannot go better */
      readonly mayPass: boolean;
    };

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a receiver is found, and how long it may take. */
export interface Reach {
  /** absent: the system's */
  readonly resolver?: Resolver | undefined;
  /** for all of a call, the look-up of its name among it */
  readonly limitMs?: number | undefined;
}

const usualLimitMs = 15_000;
/** What we read of an answer; more is nobody's business. */
const maxAnswerBytes = 2048;

const refused = (reason: string): PostResult => ({ answered: false, reason, mayPass: false });

/**
 * Posts to a URL that an administrator chose. The name is resolved first and the connection goes to that very
 * address; redirects are not followed; plain HTTP goes to addresses of our own networks alone. Never throws.
 */
export async function post(call: Post, reach: Reach = {}): Promise<PostResult> {
  if (!URL.canParse(call.url)) return refused('The address is not a URL');
  const url = new URL(call.url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('The address is not https');
  const limitMs = reach.limitMs ?? usualLimitMs;
  const signal = AbortSignal.timeout(limitMs);
  const destination = await resolveDestination(url.hostname, signal, reach.resolver);
  if ('reason' in destination) return { answered: false, ...destination };
  if (url.protocol === 'http:' && !destination.internal) {
    return refused('Plain http goes only to private networks; use https');
  }
  return send(call, url, destination, { signal, limitMs });
}

function send(
  { headers, body }: Post,
  url: URL,
  { address, family }: { readonly address: string; readonly family: 4 | 6 },
  { signal, limitMs }: { readonly signal: AbortSignal; readonly limitMs: number },
): Promise<PostResult> {
  const { promise, resolve } = Promise.withResolvers<PostResult>();
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  const outgoing = open(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), 'user-agent': 'Portcullis' },
    agent: false,
    // The name is only for the certificate and the Host header; where to connect is settled.
    lookup: (_host, options, done) =>
      options.all ? done(null, [{ address, family }]) : done(null, address, family),
    signal,
  });
  // Whoever answered took the message: it is not to be sent again because the rest of the answer does not come.
  let finish: (() => void) | undefined;
  const fail = (reason: string) => (finish ? finish() : resolve({ answered: false, reason, mayPass: true }));
  outgoing.on('error', (error) => {
    const timedOut = error.name === 'AbortError' || error.name === 'TimeoutError';
    fail(timedOut ? `No answer within ${limitMs / 1000} seconds` : error.message);
  });
  // One that changes to another protocol is hung up on, and nothing else tells of it.
  outgoing.on('close', () => fail('The connection ended without an answer'));
  outgoing.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    finish = () => {
      const after = Number(response.headers['retry-after']);
      resolve({
        answered: true,
        status: response.statusCode ?? 0,
        body: text.slice(0, maxAnswerBytes),
        ...(Number.isFinite(after) && after > 0 && { retryAfterSeconds: after }),
      });
    };
    response.on('data', (chunk: string) => {
      text += chunk;
      if (text.length <= maxAnswerBytes) return;
      finish?.();
      response.destroy();
    });
    response.on('end', finish);
    response.on('error', finish);
  });
  outgoing.end(body);
  return promise;
}
