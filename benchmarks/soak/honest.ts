import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { get as getSecure } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { shapes } from '../gateway/requests.ts';
import { must } from './tally.ts';

/** Where the gateway of a soak listens. */
export interface Doors {
  readonly httpPort: number;
  readonly httpsPort: number;
}

/** One exchange of a client that deserves an answer; rejects where it got a wrong one. */
export type Client = (doors: Doors, index: number) => Promise<void>;

const host = '127.0.0.1';
const kept = new Agent({ keepAlive: true, maxSockets: 8 });

async function answer(
  doors: Doors,
  options: { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<IncomingMessage> {
  const { body, headers = {}, ...rest } = options;
  const all = { Host: 'bench.test', ...headers };
  const sent = request({ host, port: doors.httpPort, agent: kept, headers: all, ...rest });
  sent.end(body);
  const [got] = (await once(sent, 'response')) as [IncomingMessage];
  return got;
}

const shape = (index: number) => shapes[index % shapes.length] ?? shapes[0];

const overHttp: Client = async (doors, index) => {
  const { method = 'GET', path = '/', headers = {}, body = '' } = shape(index) ?? {};
  const got = await answer(doors, { method, path, headers, body });
  const whole = await text(got);
  must(got.statusCode === 200 && whole.length === 1024, `${got.statusCode}, ${whole.length} bytes`);
};

const overTls: Client = async ({ httpsPort }) => {
  const options = {
    host,
    port: httpsPort,
    servername: 'bench.test',
    rejectUnauthorized: false,
    agent: false,
  };
  const sent = getSecure({ ...options, path: '/', headers: { Host: 'bench.test' } });
  const [got] = (await once(sent, 'response')) as [IncomingMessage];
  must(got.statusCode === 200 && (await text(got)).length === 1024, `${got.statusCode}`);
};

const overHttp2: Client = async ({ httpsPort }, index) => {
  const session = connectHttp2(`https://${host}:${httpsPort}`, {
    servername: 'bench.test',
    rejectUnauthorized: false,
  });
  session.on('error', () => undefined);
  session.setMaxListeners(0);
  session.once('connect', (_session, socket) => socket.setMaxListeners(0));
  try {
    const one = async (at: number) => {
      const { method = 'GET', path = '/', headers = {}, body = '' } = shape(at) ?? {};
      const { Host: _host, ...others } = headers;
      const fields: OutgoingHttpHeaders = { ':authority': 'bench.test', ':method': method, ':path': path };
      const stream = session.request({ ...fields, ...others }, { endStream: body === '' });
      if (body !== '') stream.end(body);
      const [got] = (await once(stream, 'response')) as [Record<string, number>];
      must(got[':status'] === 200 && (await text(stream)).length === 1024, `${got[':status']}`);
    };
    for (let round = 0; round < 10; round++) {
      await Promise.all([one(index), one(index + 1), one(index + 2)]);
    }
  } finally {
    session.destroy();
    if (!session.closed) await once(session, 'close');
  }
};

const upload: Client = async (doors, index) => {
  const body = Buffer.alloc(index % 2 === 0 ? 1_000_000 : 30_000, 'a');
  const headers = { 'Content-Type': 'application/octet-stream' };
  const got = await answer(doors, { method: 'POST', path: '/length', headers, body });
  const length = await text(got);
  must(length === String(body.length), `${got.statusCode}: ${length.slice(0, 20)}`);
};

const eventStream: Client = async (doors) => {
  const got = await answer(doors, { path: '/events', headers: { Accept: 'text/event-stream' } });
  for (let seen = ''; (seen.match(/tick/g)?.length ?? 0) < 3; ) seen += (await once(got, 'data'))[0];
  got.destroy();
};

const webSocket: Client = async ({ httpPort }) => {
  const socket = connect(httpPort, host);
  socket.on('error', () => undefined);
  socket.write(
    'GET /chat HTTP/1.1\r\nHost: bench.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const [head] = await once(socket, 'data');
  must(String(head).startsWith('HTTP/1.1 101'), String(head).slice(0, 12));
  for (let at = 0; at < 5; at++) {
    socket.write(`message ${at}`);
    const [echo] = await once(socket, 'data');
    must(String(echo) === `message ${at}`, 'another echo');
  }
  socket.destroy();
};

/** Clients that deserve an answer, and how many of each are at it at once. */
export const honest: Record<string, { readonly atOnce: number; readonly client: Client }> = {
  'HTTP/1.1': { atOnce: 4, client: overHttp },
  'HTTP/1.1 over TLS, a connection each': { atOnce: 1, client: overTls },
  'HTTP/2, 30 requests a connection': { atOnce: 1, client: overHttp2 },
  'uploads of 1 MB and 30 KB': { atOnce: 1, client: upload },
  'event streams': { atOnce: 2, client: eventStream },
  WebSockets: { atOnce: 2, client: webSocket },
};
