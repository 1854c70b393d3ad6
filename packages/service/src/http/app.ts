import helmet from '@fastify/helmet';
import type { Endpoint } from '@portcullis/contract/api';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { failure } from '../outcome.ts';
import type { Authentication } from './access.ts';
import { serveConsole } from './console-files.ts';
import { failureOfThrown, sendFailure } from './failures.ts';
import { hostPolicy } from './hosts.ts';
import { BodyRefused, readJsonBodies } from './json-body.ts';
import { enforceAccess } from './serve.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** the contract's declaration of the call; absent on streams, the console and probes */
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    /** set before access is decided */
    authentication: Authentication;
  }
}

export interface AppOptions {
  readonly log: Log;
  readonly adminHost: string;
  readonly publicUrl?: string | undefined;
  /** built console; absent: the API alone */
  readonly consoleDir?: string | undefined;
  authenticate(request: FastifyRequest): Promise<Authentication>;
  /** why the service cannot answer calls now, undefined when it can */
  notReady(): Promise<string | undefined>;
}

/** Restored configurations are the largest bodies. */
const maxBodyBytes = 4 * 1024 * 1024;

/** The HTTP server without its routes; who owns a noun adds them with `serve`. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: maxBodyBytes,
    routerOptions: { maxParamLength: 128, ignoreTrailingSlash: true },
    requestTimeout: 30_000,
    // SSE answers never end by themselves; stop() ends them, then what is idle.
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
  });
  readJsonBodies(app);
  await protect(app, options);
  app.decorateRequest('authentication');
  app.addHook('onRequest', async (request) => {
    request.authentication = await options.authenticate(request);
  });
  app.addHook('onRequest', enforceAccess);
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
  await serveConsole(app, options.consoleDir);
  return app;
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
