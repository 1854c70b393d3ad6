// `node packages/engine/examples/fastify/main.ts`, then as in the node-http example.
import fastify from 'fastify';
import { guardFastify } from '../../src/middleware/index.ts';
import { policy } from '../policy.ts';

export const app = fastify();
app.addHook('onRequest', guardFastify({ policy, now: Date.now }));
app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
app.all('/*', (request, reply) =>
  reply
    .type('text/plain')
    .send(`${request.method} ${request.url}\n${typeof request.body === 'string' ? request.body : ''}`),
);

if (import.meta.main) await app.listen({ port: 3000, host: '127.0.0.1' });
