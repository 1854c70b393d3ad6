import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { residentMb } from './load.ts';
import { gatewaySubject } from './subjects.ts';

/** What a worker holds while many clients only keep their connections. */
export interface IdleMemory {
  readonly clients: number;
  readonly sites: number;
  readonly residentMb: number;
}

/** Starts a worker with many sites, each with a policy of its own, and lets clients ask once and stay. */
export async function idleMemory(upstream: string, dir: string): Promise<IdleMemory> {
  const [clients, sites] = [1000, 200];
  const plan = { upstream, level: 'medium', sites };
  // Any start but the very first finds its code compiled.
  await (await gatewaySubject('first start', plan, dir)).stop();
  const worker = await gatewaySubject('idle', plan, dir);
  const sockets: Socket[] = [];
  try {
    for (let at = 0; at < clients; at++) {
      const socket = connect(worker.port, '127.0.0.1');
      sockets.push(socket);
      socket.write(`GET /?a=${at} HTTP/1.1\r\nHost: site-${at % sites}.test\r\n\r\n`);
      await once(socket, 'data');
    }
    return { clients, sites, residentMb: residentMb(worker.pids) };
  } finally {
    for (const socket of sockets) socket.destroy();
    await worker.stop();
  }
}
