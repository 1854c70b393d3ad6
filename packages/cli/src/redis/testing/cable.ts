import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Where a server listens: the file of its socket, or a port of the loopback. */
type End = string | number;

/** What a server is reached by over TCP, as long as nobody pulls it. */
export interface Cable {
  readonly port: number;
  /** connections made, those while it is cut too */
  readonly made: () => number;
  /** From here on what is sent waits, in both directions, and nobody is told. */
  cut(): void;
  mend(): void;
  /** Brings so many bytes of an answer every ten milliseconds, and no more. */
  slow(bytes: number): void;
  /** Has the connections that are made from now on lead to another server. */
  leadTo(end: End): void;
  stop(): void;
}

export async function startCable(end: End): Promise<Cable> {
  const ends = new Set<Socket>();
  let leads = end;
  let made = 0;
  let isCut = false;
  let bytesAtOnce = Number.POSITIVE_INFINITY;
  const pass = async (data: Buffer, from: Socket, to: Socket) => {
    if (data.length <= bytesAtOnce) {
      to.write(data);
      return;
    }
    from.pause();
    for (let at = 0; at < data.length; at += bytesAtOnce) {
      to.write(data.subarray(at, at + bytesAtOnce));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (!isCut) from.resume();
  };
  const join = (from: Socket, to: Socket) => {
    ends.add(from);
    from.on('data', (data: Buffer) => void pass(data, from, to));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      ends.delete(from);
      to.end();
    });
    if (isCut) from.pause();
  };
  const server = createServer((near) => {
    made += 1;
    const far = typeof leads === 'string' ? connect(leads) : connect(leads, '127.0.0.1');
    join(near, far);
    join(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    made: () => made,
    cut() {
      isCut = true;
      for (const one of ends) one.pause();
    },
    mend() {
      isCut = false;
      for (const one of ends) one.resume();
    },
    slow(bytes) {
      bytesAtOnce = bytes;
    },
    leadTo(other) {
      leads = other;
    },
    stop() {
      for (const one of ends) one.destroy();
      server.close();
    },
  };
}
