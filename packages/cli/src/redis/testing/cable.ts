import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a server on a socket is reached by over TCP, as long as nobody pulls it. */
export interface Cable {
  readonly port: number;
  /** connections made, those while it is cut too */
  readonly made: () => number;
  /** From here on what is sent waits, in both directions, and nobody is told. */
  cut(): void;
  mend(): void;
  stop(): void;
}

/** @param socket file that the server listens on */
export async function startCable(socket: string): Promise<Cable> {
  const ends = new Set<Socket>();
  let made = 0;
  let isCut = false;
  const join = (from: Socket, to: Socket) => {
    ends.add(from);
    from.on('data', (data) => void to.write(data));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      ends.delete(from);
      to.end();
    });
    if (isCut) from.pause();
  };
  const server = createServer((near) => {
    made += 1;
    const far = connect(socket);
    join(near, far);
    join(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    made: () => made,
    cut() {
      isCut = true;
      for (const end of ends) end.pause();
    },
    mend() {
      isCut = false;
      for (const end of ends) end.resume();
    },
    stop() {
      for (const end of ends) end.destroy();
      server.close();
    },
  };
}
