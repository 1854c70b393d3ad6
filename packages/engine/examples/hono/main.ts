// `node packages/engine/examples/hono/main.ts`, then as in the node-http example.
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { guardHono } from '../../src/middleware/index.ts';
import { policy } from '../policy.ts';

export const app = new Hono();
app.use(
  guardHono<Response, Context>(
    { policy, now: Date.now },
    (context) => getConnInfo(context).remote.address ?? '',
  ),
);
app.all('/*', async (context) => {
  const { pathname, search } = new URL(context.req.url);
  return context.text(`${context.req.method} ${pathname}${search}\n${await context.req.text()}`);
});

if (import.meta.main) serve({ fetch: app.fetch, port: 3000, hostname: '127.0.0.1' });
