import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** Where the bytes of all upstreams in clear arrive, one read after the other; as much as Node reads at once. */
const arrived = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Opens connections to an upstream. In clear, what a read brings is copied out of one buffer for all: Node would
 * take 64 KB from the system for each read and give most of it back, which costs more than the copy of an ordinary
 * answer.
 * @param origin scheme, host and port
 */
export function connector(origin: string, options: buildConnector.BuildOptions): buildConnector.connector {
  if (!origin.startsWith('http:')) return buildConnector(options);
  return (target, connected) => {
    let socket: Socket | null = null;
    const take = (bytes: number) => socket?.push(Buffer.from(arrived.subarray(0, bytes))) ?? false;
    const connect = buildConnector({ ...options, onread: { buffer: arrived, callback: take } });
    connect(target, (...result) => {
      socket = result[1];
      connected(...result);
    });
  };
}
