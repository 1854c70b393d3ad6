import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const products = ['Lantern', 'Rope, 30 m', 'Oil flask', 'Grappling hook', 'Waxed map case', 'Iron bell'];

/** A small shop on a free port of this machine, so that a newcomer has something to protect. */
export async function startShop(): Promise<{ port: number; server: Server }> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
}

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (status: number, value: object): Page => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});
const html = (status: number, body: string): Page => ({ status, type: 'text/html', body });

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { status, type, body } = pageFor(request.method, new URL(request.url ?? '/', 'http://shop').pathname);
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function pageFor(method: string | undefined, pathname: string): Page {
  if (pathname === '/style.css') return { status: 200, type: 'text/css', body: style };
  if (pathname === '/api/products') return json(200, { products });
  if (pathname === '/checkout' && method === 'POST') return json(201, { ordered: true });
  if (['/', '/search', '/cart', '/about', '/login'].includes(pathname)) return html(200, page());
  return html(404, '<!doctype html><title>Not found</title><p>There is no such page in this shop.');
}

const style = 'body { font: 16px/1.5 sans-serif; margin: 3rem auto; max-width: 40rem }';

function page(): string {
  const items = products.map((product) => `<li>${product}</li>`).join('');
  return `<!doctype html><html lang="en"><title>Gatehouse supplies</title><link rel="stylesheet" href="/style.css">
<h1>Gatehouse supplies</h1><p>The demo shop behind Portcullis.</p><ul>${items}</ul>
<form action="/search"><input name="q" aria-label="Search"><button>Search</button></form></html>`;
}
