// `node packages/engine/examples/node-http/main.ts`, then
//   curl 'http://127.0.0.1:3000/?q=hello'            answers
//   curl 'http://127.0.0.1:3000/?q=<svg+onload=alert(1)>'   is refused
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { guardNode } from '../../src/middleware/index.ts';
import { policy } from '../policy.ts';

function handle(request: IncomingMessage, response: ServerResponse): void {
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on('end', () => response.end(`${request.method} ${request.url}\n${body}`));
}

export const server = createServer(
  guardNode(
    {
      policy,
      now: Date.now,
      onVerdict: ({ decision, matches }) => console.log(decision, matches[0]?.message),
    },
    handle,
  ),
);

if (import.meta.main) server.listen(3000, '127.0.0.1');
