import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Account } from './account.ts';
import type { Shape } from './requests.ts';

/** One request straight to the upstream and its twin by way of the subject, one right after the other; milliseconds. */
export interface Pair {
  readonly straightMs: number;
  readonly throughMs: number;
  /** when the subject had it, by the clock that all processes of the machine share */
  readonly begin: number;
  readonly end: number;
  /** processor time that the subject used meanwhile */
  readonly workMs: number;
  /** how much longer than in the straight one client, upstream and subject stood ready meanwhile and had no core */
  readonly waitedMs: number;
}

/** What a pair is measured with. */
export interface PairPlan {
  readonly upstream: { readonly port: number; readonly pid: number };
  readonly subject: { readonly port: number; readonly pid: number };
  readonly shape: Shape;
  readonly count: number;
}

/** One kept-alive connection with one request at a time. */
class Asker {
  readonly #socket: Socket;
  readonly #request: Buffer;
  #answer = '';
  #done: (at: number) => void = () => undefined;

  constructor(port: number, request: Buffer) {
    this.#request = request;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (piece: Buffer) => this.#take(piece));
    this.#socket.on('close', () => this.#done(Number.NaN));
  }

  async open(): Promise<void> {
    await once(this.#socket, 'connect');
  }

  /** @returns when it began and when the last byte of the answer was there */
  async ask(): Promise<{ begin: number; end: number }> {
    this.#answer = '';
    const begin = performance.now();
    const end = await new Promise<number>((resolve) => {
      this.#done = resolve;
      this.#socket.write(this.#request);
    });
    if (Number.isNaN(end)) throw new Error('a kept-alive connection was closed');
    if (!this.#answer.startsWith('HTTP/1.1 200')) throw new Error(this.#answer.slice(0, 300));
    return { begin, end };
  }

  close(): void {
    this.#done = () => undefined;
    this.#socket.destroy();
  }

  #take(piece: Buffer): void {
    const at = performance.now();
    this.#answer += piece.toString('latin1');
    const head = this.#answer.indexOf('\r\n\r\n');
    const length = Number(/^content-length: *(\d+)/im.exec(this.#answer)?.[1]);
    if (head >= 0 && this.#answer.length >= head + 4 + length) this.#done(at);
  }
}

/**
 * Asks in pairs over two connections of one client, so that what disturbs the machine, the upstream or the client meets
 * both twins alike. Who goes first changes from pair to pair.
 */
export async function pairs({ upstream, subject, shape, count }: PairPlan): Promise<Pair[]> {
  const bytes = bytesOf(shape);
  const straight = new Asker(upstream.port, bytes);
  const through = new Asker(subject.port, bytes);
  const accounts = [...new Set(['thread-self', `${upstream.pid}`, `${subject.pid}`])].map(
    (of) => new Account(of),
  );
  const used = () => {
    for (const account of accounts) account.read();
    const waitedMs = accounts.reduce((sum, account) => sum + account.waitedMs, 0);
    return { waitedMs, workMs: accounts.at(-1)?.workMs ?? 0 };
  };
  const one = async (asker: Asker) => {
    const before = used();
    const asked = await asker.ask();
    const after = used();
    return {
      ...asked,
      ms: asked.end - asked.begin,
      waitedMs: after.waitedMs - before.waitedMs,
      workMs: after.workMs - before.workMs,
    };
  };
  const offset = Number(process.hrtime.bigint()) / 1e6 - performance.now();
  const measured: Pair[] = [];
  try {
    await Promise.all([straight.open(), through.open()]);
    for (let at = -warmUp; at < count; at++) {
      const first = await one(at % 2 === 0 ? straight : through);
      const second = await one(at % 2 === 0 ? through : straight);
      const [direct, passed] = at % 2 === 0 ? [first, second] : [second, first];
      if (at < 0) continue;
      measured.push({
        straightMs: direct.ms,
        throughMs: passed.ms,
        begin: passed.begin + offset,
        end: passed.end + offset,
        workMs: passed.workMs,
        waitedMs: passed.waitedMs - direct.waitedMs,
      });
    }
  } finally {
    straight.close();
    through.close();
    for (const account of accounts) account.close();
  }
  return measured;
}

/** Pairs until the connections and the client's own code are warm. */
const warmUp = 200;

function bytesOf({ method, path, headers, body }: Shape): Buffer {
  const length = body === '' ? [] : [`Content-Length: ${body.length}`];
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(
    `${[`${method} ${path} HTTP/1.1`, ...fields, ...length].join('\r\n')}\r\n\r\n${body}`,
    'latin1',
  );
}
