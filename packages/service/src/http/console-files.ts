import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../outcome.ts';
import { sendFailure } from './failures.ts';
import type { MethodsOf } from './methods.ts';

/**
 * Nothing from elsewhere and nothing inline, neither scripts nor styles: all of the console is files of its own.
 * Styles that React sets go through the style object, which the policy does not regard.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** For answers that are no page. */
const bareContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";

/** Of whatever a stranger sends: `//`, which is no address by itself, is a path. Empty where none can be told. */
const pathnameOf = ({ url }: FastifyRequest) =>
  URL.parse(url.startsWith('/') ? `http://localhost${url}` : url)?.pathname ?? '';

function isPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const pathname = pathnameOf(request);
  if (/^\/(api|logs\/stream|healthz|readyz)(\/|$)/.test(pathname)) return false;
  return (pathname !== '' && path.extname(pathname) === '') || pathname === '/index.html';
}

/**
 * Serves the built console: hashed files for ever, index.html anew each time, and for every path that the console
 * routes by itself.
 */
export async function serveConsole(
  app: FastifyInstance,
  consoleDir: string | undefined,
  methodsOf: MethodsOf,
): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('Content-Security-Policy')) {
      reply.header('Content-Security-Policy', bareContentSecurityPolicy);
    }
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (consoleDir !== undefined && isPage(request)) return sendPage(reply, consoleDir);
    // As it was sent, which is what no route fits: the way of `..` leads elsewhere.
    const methods = methodsOf(request.url.split('?', 1)[0] ?? '');
    if (methods.length === 0 || methods.includes(request.method))
      return sendFailure(reply, failure('not_found'));
    return sendFailure(reply.header('Allow', methods.join(', ')), failure('method_not_allowed'));
  });
  if (consoleDir === undefined) return;
  await app.register(fastifyStatic, {
    root: path.join(consoleDir, 'assets'),
    prefix: '/assets/',
    // Their names hold a hash of their content.
    immutable: true,
    // The build laid a compressed copy beside each.
    preCompressed: true,
    maxAge: '365d',
    decorateReply: false,
  });
  await app.register(fastifyStatic, {
    root: consoleDir,
    prefix: '/',
    wildcard: false,
    index: false,
    globIgnore: ['index.html', 'assets/**'],
    decorateReply: false,
  });
}

async function sendPage(reply: FastifyReply, consoleDir: string): Promise<FastifyReply> {
  return reply
    .header('Content-Security-Policy', contentSecurityPolicy)
    .header('Cache-Control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(await readFile(path.join(consoleDir, 'index.html'), 'utf8'));
}
