import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A call that a receiver got. */
export interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** bytes of the body */
  readonly length: number;
  // The test knows what it made the service send; a wrong reading fails the test.
  readonly body: ReturnType<typeof JSON.parse>;
}

/** A real HTTP receiver on loopback. */
export interface HttpReceiver {
  readonly url: string;
  readonly received: Received[];
  /** what it answers from now on */
  answer: {
    status: number;
    body?: string;
    headers?: Record<string, string>;
    /** when */
    after?: Promise<void>;
  };
  stop(): Promise<void>;
}

export async function httpReceiver(): Promise<HttpReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
      const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
      received.push({
        url: request.url ?? '',
        headers: request.headers,
        length: Buffer.byteLength(text),
        body,
      });
      const { status, headers: answered, body: said, after } = receiver.answer;
      void Promise.resolve(after).then(() => response.writeHead(status, answered).end(said));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: HttpReceiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: { status: 200, body: 'ok' },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** A letter that a mail server took. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  readonly user: string | undefined;
  readonly text: string;
}

/** A real mail server on loopback. */
export interface MailReceiver {
  readonly port: number;
  readonly mails: ReceivedMail[];
  stop(): Promise<void>;
}

export async function mailReceiver(options: SMTPServerOptions = {}): Promise<MailReceiver> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => done(null, { user: `${auth.username}:${auth.password}` }),
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        text += chunk;
      });
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        mails.push({ from, to: rcptTo.map(({ address }) => address), user: session.user, text });
        done();
      });
    },
    ...options,
  });
  // Clients that refuse our certificate hang up, which is what the tests want to see on their side.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    async stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(resolve);
      await promise;
    },
  };
}
