import { readFile } from 'node:fs/promises';
import { errorCatalogue } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from './openapi.ts';
import { type ReferencedDocument, referencePage } from './page.ts';

/** One style sheet of our own and nothing else: no script, no frame, no form, nothing from elsewhere. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** GET /api/openapi.json, and the same for people at GET /api/docs. Both say nothing of this installation. */
export function apiReferenceRoutes(app: FastifyInstance, productVersion: string): void {
  let document: ReturnType<typeof openApiDocument> | undefined;
  let page: string | undefined;
  const described = () => {
    document ??= openApiDocument(productVersion);
    return document;
  };
  app.get('/api/openapi.json', async (_request, reply) => reply.type('application/json').send(described()));

  app.get('/api/docs', async (_request, reply) => {
    const errors = Object.entries(errorCatalogue).map(([code, rest]) => ({ code, ...rest }));
    page ??= referencePage(described() as unknown as ReferencedDocument, errors);
    return reply
      .header('Content-Security-Policy', contentSecurityPolicy)
      .type('text/html; charset=utf-8')
      .send(page);
  });

  app.get('/api/docs/style.css', async (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .send(await readFile(new URL('./style.css', import.meta.url), 'utf8')),
  );
}
