import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** One received server-sent event. */
export interface Received {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: ReturnType<typeof JSON.parse>;
}

/** Reads a stream over a real connection. */
export interface Reader {
  readonly status: number;
  /** Waits for the next event of that name, leaving others out. */
  next(event: string): Promise<Received>;
  /** everything that came and was not taken by `next` */
  readonly waiting: Received[];
  /** resolves when the server ends the stream */
  readonly ended: Promise<unknown>;
  close(): void;
}

function parse(block: string): Received | undefined {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const event = field('event');
  return event === undefined
    ? undefined
    : { event, id: field('id'), data: JSON.parse(field('data') ?? 'null') };
}

/** Opens a stream of server-sent events. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<Reader> {
  const outgoing = request(url, { headers, agent: false });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const waiting: Received[] = [];
  let wake = () => {};
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    waiting.push(...blocks.flatMap((block) => parse(block) ?? []));
    wake();
  });
  response.on('error', () => {});
  const ended = new Promise((resolve) => response.on('close', resolve));
  return {
    status: response.statusCode ?? 0,
    waiting,
    ended,
    async next(event) {
      for (;;) {
        const index = waiting.findIndex((received) => received.event === event);
        const found = waiting[index];
        if (found) {
          waiting.splice(index, 1);
          return found;
        }
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
    },
    close: () => outgoing.destroy(),
  };
}
