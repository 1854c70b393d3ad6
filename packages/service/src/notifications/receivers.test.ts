import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { NotificationSettings } from '@portcullis/contract/notifications';
import { afterEach, describe, expect, it } from 'vitest';
import { dispatch } from './dispatch.ts';
import { noticeFor } from './testing/index.ts';

const letter = noticeFor({ subject: '[Gate] Site down', text: 'Nobody answers.' });
/** An attempt's own limit in these tests; receivers that never end must meet it. */
const limitMs = 400;

const written = (socket: Socket) => (text: string) => void (socket.destroyed || socket.write(text));

/** Writes a byte now and then, again and again. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => written(socket)(text[at++ % text.length] ?? ''), 20);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as it is read, and counts. @returns bytes that were taken */
function flood(socket: Socket, piece: string, most: number): { taken: number } {
  const count = { taken: 0 };
  const more = () => {
    while (!socket.destroyed && count.taken < most) {
      count.taken += piece.length;
      if (!socket.write(piece)) return;
    }
  };
  socket.on('drain', more);
  more();
  return count;
}

type Receiver = (socket: Socket) => void;
type Came = { sent: true } | { sent: false; mayPass: boolean; reason?: RegExp };

/** What a receiver of HTTP does once the call's head is there, and what that comes to. */
const httpReceivers: Readonly<Record<string, readonly [Receiver, Came]>> = {
  'resets the connection': [(socket) => socket.resetAndDestroy(), { sent: false, mayPass: true }],
  'closes it without an answer': [(socket) => socket.end(), { sent: false, mayPass: true }],
  'closes it in the middle of its head': [
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'),
    { sent: false, mayPass: true },
  ],
  'closes it in the middle of its body': [
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok'),
    { sent: true },
  ],
  'refuses and closes it in the middle of its body': [
    (socket) => socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nno'),
    { sent: false, mayPass: true, reason: /answered 503/ },
  ],
  'never answers': [() => {}, { sent: false, mayPass: true, reason: /No answer within 0.4 seconds/ }],
  'answers a byte now and then': [
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Long: '.padEnd(100_000, 'x')),
    { sent: false, mayPass: true, reason: /No answer within 0.4 seconds/ },
  ],
  'takes it, and tells so for ever': [
    (socket) => {
      socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 100000\r\n\r\n');
      drip(socket, 'ok');
    },
    { sent: true },
  ],
  redirects: [
    (socket) =>
      socket.end('HTTP/1.1 307 There\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n'),
    { sent: false, mayPass: false, reason: /answered 307/ },
  ],
  'changes to another protocol': [
    (socket) => socket.write('HTTP/1.1 101 Other\r\nConnection: upgrade\r\nUpgrade: chat\r\n\r\n'),
    { sent: false, mayPass: true },
  ],
  'tells of a head without end': [
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      flood(socket, `X-More: ${'x'.repeat(1000)}\r\n`, 100_000_000);
    },
    { sent: false, mayPass: true },
  ],
  'speaks no HTTP': [(socket) => socket.end('SSH-2.0-Open\r\n'), { sent: false, mayPass: true }],
};

/** The same for a mail server; it is asked for its greeting at once. */
const mailReceivers: Readonly<Record<string, readonly [Receiver, Came]>> = {
  'resets the connection': [(socket) => socket.resetAndDestroy(), { sent: false, mayPass: true }],
  'never greets': [() => {}, { sent: false, mayPass: true, reason: /not done within 0.4 seconds/ }],
  'greets a byte now and then': [
    (socket) => drip(socket, '220-mail.example.com\r\n'),
    { sent: false, mayPass: true, reason: /not done within 0.4 seconds/ },
  ],
  'answers a line now and then, without end': [
    (socket) => {
      socket.write('220 mail.example.com\r\n');
      socket.on('data', () => drip(socket, '250-MORE\r\n'));
    },
    { sent: false, mayPass: true, reason: /not done within 0.4 seconds/ },
  ],
  'hangs up in the middle': [
    (socket) => {
      socket.write('220 mail.example.com\r\n');
      socket.on('data', () => socket.end());
    },
    { sent: false, mayPass: true },
  ],
};

describe('a receiver that misbehaves', () => {
  let server: Server | undefined;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.close();
    if (server?.listening) await once(server, 'close');
    server = undefined;
  });
  const listen = async (onConnection: Receiver) => {
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      onConnection(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const afterHead = (receiver: Receiver) =>
    listen((socket) => void socket.once('data', () => receiver(socket)));
  const by = {
    'chat server': (port: number) =>
      [{ slack: { webhookUrl: `http://127.0.0.1:${port}/hook` } }, 'slack'] as const,
    webhook: (port: number) =>
      [{ webhook: { webhookUrl: `http://127.0.0.1:${port}/hook` } }, 'webhook'] as const,
    'mail provider': (port: number) =>
      [mailBy({ key: 'k', apiUrl: `http://127.0.0.1:${port}/send` }), 'email'] as const,
    'mail server': (port: number) =>
      [mailBy({ smtpHost: '127.0.0.1', smtpPort: port, smtpSecurity: 'none' }), 'email'] as const,
  };
  const mailBy = (more: object) => ({
    email: { address: 'ops@example.com', senderEmail: 'gate@example.com', ...more },
  });
  const attempt = (kind: keyof typeof by, port: number) => {
    const [settings, channel] = by[kind](port);
    return dispatch(NotificationSettings.parse(settings), channel, letter, { limitMs });
  };
  const expectAttempt = (
    came: Awaited<ReturnType<typeof attempt>>,
    { reason, ...rest }: Came & { reason?: RegExp },
  ) => expect(came).toMatchObject({ ...rest, ...(reason && { reason: expect.stringMatching(reason) }) });

  for (const kind of ['chat server', 'webhook', 'mail provider'] as const) {
    it.each(Object.entries(httpReceivers))(`as a ${kind} that %s`, async (_what, [receiver, came]) => {
      expectAttempt(await attempt(kind, await afterHead(receiver)), came);
    });

    it(`as a ${kind} that answers 100 MB is read to its start alone`, async () => {
      let count = { taken: 0 };
      const port = await afterHead((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n');
        count = flood(socket, 'x'.repeat(65_536), 100_000_000);
      });
      expect(await attempt(kind, port)).toEqual({ sent: true });
      await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
      expect(count.taken).toBeLessThan(20_000_000);
    });
  }

  it('as a mail server whose name is not told is given up in time, for now', async () => {
    const settings = NotificationSettings.parse(
      mailBy({ smtpHost: 'mail.example.com', smtpSecurity: 'tls' }),
    );
    const resolver = () => new Promise<string[]>(() => {});
    expect(await dispatch(settings, 'email', letter, { resolver, limitMs: 50 })).toMatchObject({
      sent: false,
      mayPass: true,
      reason: 'The name mail.example.com could not be looked up in time',
    });
  });

  it.each(Object.entries(mailReceivers))('as a mail server that %s', async (_what, [receiver, came]) => {
    expectAttempt(await attempt('mail server', await listen(receiver)), came);
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true);
  });
});
