// `node packages/engine/examples/express/main.ts`, then as in the node-http example.
import express from 'express';
import { guardExpress } from '../../src/middleware/index.ts';
import { policy } from '../policy.ts';

export const app = express();
app.use(guardExpress({ policy, now: Date.now }));
app.use(express.text({ type: '*/*' }));
app.use((request, response) => {
  response
    .type('text')
    .send(
      `${request.method} ${request.originalUrl}\n${typeof request.body === 'string' ? request.body : ''}`,
    );
});

if (import.meta.main) app.listen(3000, '127.0.0.1');
