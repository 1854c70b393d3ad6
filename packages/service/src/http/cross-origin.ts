import type { Endpoint } from '@portcullis/contract/api';
import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify';

/** Which pages of other origins may call the API, as the security settings say it. */
export interface CrossOriginPolicy {
  readonly corsEnabled: boolean;
  /** origins, and `*` for any */
  readonly allowedOrigins: readonly string[];
}

/** seconds for which a browser need not ask again; Chrome keeps no answer for longer than two hours */
const maxAgeSeconds = 600;

const requestHeaders = 'Authorization, Content-Type, Content-Encoding, Last-Event-ID, Portcullis-Passphrase';
const answerHeaders = 'Content-Disposition, Retry-After';

/**
 * What the answer to a page's request allows. An origin that is named may make any call. `*` opens only the calls
 * that the token alone decides: a foreign page holds none, so it gets nothing there. Signing in and setup need no
 * token and a stream's ticket stands in its address, so that any page that somebody visits could guess passwords at a
 * console on the reader's own machine, and read what it answers.
 * @param endpoint of the call; undefined for streams and the reference
 * @returns the value of Access-Control-Allow-Origin; undefined where the page may not read the answer
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function allowedOrigin(
  { corsEnabled, allowedOrigins }: CrossOriginPolicy,
  origin: string,
  endpoint: Endpoint | undefined,
): string | undefined {
  if (!corsEnabled) return undefined;
  // Opaque origins all call themselves so, and `*` is listed as itself.
  if (origin !== 'null' && origin !== '*' && allowedOrigins.includes(origin)) return origin;
  const needsToken = endpoint !== undefined && endpoint.access !== 'public';
  return needsToken && allowedOrigins.includes('*') ? '*' : undefined;
}

type Methods = Map<string, Endpoint | undefined>;

const isApi = (path: string | undefined): path is string =>
  path !== undefined && (path.startsWith('/api/') || path === '/logs/stream');

/** Answers preflights and says on every answer of the API which page may read it. Call before there are routes. */
export function answerOtherOrigins(app: FastifyInstance, policy: () => Promise<CrossOriginPolicy>): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isApi(request.routeOptions.url)) return;
    reply.header('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || request.method === 'OPTIONS') return;
    const allowed = allowedOrigin(await policy(), origin, request.routeOptions.config.endpoint);
    if (allowed === undefined) return;
    reply.header('Access-Control-Allow-Origin', allowed);
    reply.header('Access-Control-Expose-Headers', answerHeaders);
  });
  const paths = new Map<string, Methods>();
  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.method === 'OPTIONS' || !isApi(route.url)) return;
    const known = paths.get(route.url);
    const methods: Methods = known ?? new Map();
    for (const method of [route.method].flat()) methods.set(method, route.config?.endpoint);
    if (known) return;
    paths.set(route.url, methods);
    app.options(route.url, async ({ headers }, reply) => {
      reply.header('Allow', [...methods.keys(), 'OPTIONS'].join(', '));
      if (headers.origin !== undefined) {
        const local = headers['access-control-request-private-network'] === 'true';
        const asked = headers['access-control-request-method'];
        answerPreflight(reply, await policy(), { origin: headers.origin, asked, local }, methods);
      }
      return reply.code(204).send();
    });
  });
}

interface Preflight {
  readonly origin: string;
  /** the method that the page wants to send */
  readonly asked: string | undefined;
  /** a page of a public address asks, and this is a private one */
  readonly local: boolean;
}

function answerPreflight(
  reply: FastifyReply,
  policy: CrossOriginPolicy,
  { origin, asked, local }: Preflight,
  methods: Methods,
): void {
  if (asked === undefined || !methods.has(asked)) return;
  const allowed = allowedOrigin(policy, origin, methods.get(asked));
  if (allowed === undefined) return;
  const open = [...methods].filter(([, endpoint]) => allowedOrigin(policy, origin, endpoint) !== undefined);
  reply.header('Access-Control-Allow-Origin', allowed);
  reply.header('Access-Control-Allow-Methods', open.map(([method]) => method).join(', '));
  reply.header('Access-Control-Allow-Headers', requestHeaders);
  reply.header('Access-Control-Max-Age', String(maxAgeSeconds));
  // Private Network Access: that the internet may reach into a private network is for who names the page to say.
  if (local && allowed !== '*') reply.header('Access-Control-Allow-Private-Network', 'true');
}
