import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems hand out to who listens on 0 or calls out, from 32768 on Linux and 49152 elsewhere. */
const first = 20_000;
const last = 32_000;

/** A port of 127.0.0.1 that nobody has at the moment, and that nobody is given by chance before it is taken. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first));
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
