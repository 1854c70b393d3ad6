import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
  readonly trailers: NodeJS.Dict<string>;
}

/** One request with a Host of the test's choice, which fetch would not send. Rejects when the answer breaks off. */
export function ask(
  port: number,
  path: string,
  options: {
    method?: string;
    headers?: Record<string, string | string[]>;
    body?: string | Buffer;
    /** default 127.0.0.1 */
    address?: string;
  } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, address = '127.0.0.1' } = options;
    const sent = request({ port, host: address, path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          rawHeaders: answer.rawHeaders,
          body: Buffer.concat(chunks).toString(),
          trailers: answer.trailers,
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Speaks raw bytes and returns all that came back until the other side closed. */
export function speak(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A refusal may reset what we still wanted to say; what was answered until then counts.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  });
}
