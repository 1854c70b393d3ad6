import helmet from '@fastify/helmet';
import type { Endpoint } from '@portcullis/contract/api';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { failure } from '../outcome.ts';
import type { Authentication } from './access.ts';
import { callerAddress } from './caller-address.ts';
import { boundConnections, endConnectionsAtClose, patience } from './connections.ts';
import { serveConsole } from './console-files.ts';
import { answerOtherOrigins, type CrossOriginPolicy } from './cross-origin.ts';
import { failureOfThrown, sendFailure } from './failures.ts';
import { hostPolicy } from './hosts.ts';
import { BodyRefused, readJsonBodies } from './json-body.ts';
import { rememberMethods } from './methods.ts';
import { enforceAccess, maxBodyBytes } from './serve.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the contract's declaration of the call; absent on streams, the console and probes */
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    /** set before access is decided */
    authentication: Authentication;
    /** from where it comes, behind the proxies that the installation names */
    callerAddress: string;
    /** Looks up anew who calls, for answers that take longer than a session may. */
    authenticateAgain(): Promise<Authentication>;
    /** Tells the log of what went wrong once the status of the answer was sent. */
    reportFailure(error: unknown): void;
  }
}

export interface AppOptions {
  readonly log: Log;
  readonly adminHost: string;
  readonly publicUrl?: string | undefined;
  /** addresses and networks of proxies in front of the console, whose X-Forwarded-For counts */
  readonly adminTrustedProxies?: readonly string[] | undefined;
  /** built console; absent: the API alone */
  readonly consoleDir?: string | undefined;
  authenticate(request: FastifyRequest): Promise<Authentication>;
  /** asked anew for each request of a page, so that a changed setting counts at once */
  crossOrigin(): Promise<CrossOriginPolicy>;
  /** why the service cannot answer calls now, undefined when it can */
  notReady(): Promise<string | undefined>;
}

/** The HTTP server without its routes; who owns a noun adds them with `serve`. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 128, ignoreTrailingSlash: true },
    ...patience,
    exposeHeadRoutes: true,
    // What never reaches a route, such as a path that is no text.
    frameworkErrors(error, request, reply) {
      void sendFailure(reply, failureOfThrown(error, request, options.log));
    },
  });
  boundConnections(app.server, options);
  endConnectionsAtClose(app);
  readJsonBodies(app);
  await protect(app, options);
  const methodsOf = rememberMethods(app);
  answerOtherOrigins(app, () => options.crossOrigin());
  app.decorateRequest('authentication');
  app.decorateRequest('callerAddress', '');
  app.decorateRequest('authenticateAgain', function authenticateAgain() {
    return options.authenticate(this);
  });
  app.decorateRequest('reportFailure', function reportFailure(error) {
    failureOfThrown(error as FastifyError, this, options.log);
  });
  authorize(app, options);
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api')) reply.header('Cache-Control', 'no-store');
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendFailure(
      reply,
      error instanceof BodyRefused ? error.failure : failureOfThrown(error, request, options.log),
    ),
  );
  probes(app, options);
  await serveConsole(app, options.consoleDir, methodsOf);
  return app;
}

/**
 * Who calls is looked up before the body is read, and once more when it was there: who sends one slowly would else
 * act for half a minute after the session was ended or the role taken.
 */
function authorize(app: FastifyInstance, options: AppOptions): void {
  const lookUp = async (request: FastifyRequest) => {
    request.authentication = await options.authenticate(request);
  };
  const addressOf = callerAddress(options.adminTrustedProxies ?? []);
  app.addHook('onRequest', async (request) => {
    // Node joins repeated headers of this name with a comma.
    const forwarded = request.headers['x-forwarded-for'];
    request.callerAddress = addressOf(request.ip, forwarded === undefined ? undefined : String(forwarded));
    await lookUp(request);
  });
  app.addHook('onRequest', enforceAccess);
  app.addHook('preHandler', async (request, reply) => {
    if (request.body === undefined || request.authentication.status !== 'signed-in') return;
    await lookUp(request);
    await enforceAccess(request, reply);
  });
}

async function protect(app: FastifyInstance, options: AppOptions): Promise<void> {
  const known = hostPolicy(options.adminHost, options.publicUrl);
  app.addHook('onRequest', async (request, reply) => {
    if (!known(request.headers.host)) await sendFailure(reply, failure('unknown_host'));
  });
  const secure = options.publicUrl?.startsWith('https:') ?? false;
  await app.register(helmet, {
    contentSecurityPolicy: false,
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
  });
}

function probes(app: FastifyInstance, options: AppOptions): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const reason = await options.notReady();
    if (reason === undefined) return { status: 'ready' };
    return reply.code(503).send({ status: 'not ready', reason });
  });
}
