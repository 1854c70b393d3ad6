import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../outcome.ts';
import { sendFailure } from './failures.ts';

/** Stands in the built index.html wherever a nonce belongs; replaced anew in each answer. */
const noncePlaceholder = '__CSP_NONCE__';

/**
 * Nothing from elsewhere, nothing inline but what bears this answer's nonce. Style attributes are allowed, for
 * charts and layout set them; they cannot run code.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** For answers that are no page. */
const bareContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";

function isPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const { pathname } = new URL(request.url, 'http://localhost');
  if (/^\/(api|logs\/stream|healthz|readyz)(\/|$)/.test(pathname)) return false;
  return path.extname(pathname) === '' || pathname === '/index.html';
}

/**
 * Serves the built console: hashed files for ever, index.html anew each time with a fresh nonce, and for every
 * path that the console routes by itself.
 */
export async function serveConsole(app: FastifyInstance, consoleDir: string | undefined): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('Content-Security-Policy')) {
      reply.header('Content-Security-Policy', bareContentSecurityPolicy);
    }
  });
  app.setNotFoundHandler(async (request, reply) => {
    if (consoleDir === undefined || !isPage(request)) return sendFailure(reply, failure('not_found'));
    return sendPage(reply, consoleDir);
  });
  if (consoleDir === undefined) return;
  await app.register(fastifyStatic, {
    root: path.join(consoleDir, 'assets'),
    prefix: '/assets/',
    // Their names hold a hash of their content.
    immutable: true,
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
  const nonce = randomBytes(18).toString('base64');
  const page = await readFile(path.join(consoleDir, 'index.html'), 'utf8');
  return reply
    .header('Content-Security-Policy', contentSecurityPolicy(nonce))
    .header('Cache-Control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(noncePlaceholder, nonce));
}
