import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something to forward to. */
export interface Upstream {
  readonly url: string;
  stop(): void;
}

export async function startUpstream(): Promise<Upstream> {
  const server = createServer((_, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A client of one gateway over kept-alive connections. */
export interface Asker {
  /**
   * @param client whom a trusted proxy would name
   * @returns milliseconds until the answer was there. Rejects where it is none of the upstream
   */
  ask(host: string, client?: string): Promise<number>;
  /** Asks so many times, on all connections at once. @returns milliseconds of each */
  askAll(host: (turn: number) => string, count: number, client?: (turn: number) => string): Promise<number[]>;
  stop(): void;
}

export function createAsker(port: number, connections: number): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ask = (host: string, client?: string) => {
    const began = performance.now();
    const headers = { host, ...(client !== undefined && { 'x-forwarded-for': client }) };
    return new Promise<number>((resolve, reject) => {
      request({ port, host: '127.0.0.1', agent, headers }, (response) => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode === 200) resolve(performance.now() - began);
          else reject(new Error(`${host}: ${response.statusCode}`));
        });
      })
        .on('error', reject)
        .end();
    });
  };
  return {
    ask,
    async askAll(host, count, client) {
      const latencies: number[] = [];
      let turn = 0;
      const lane = async () => {
        while (turn < count) {
          const at = turn++;
          latencies.push(await ask(host(at), client?.(at)));
        }
      };
      await Promise.all(Array.from({ length: connections }, lane));
      return latencies;
    },
    stop: () => agent.destroy(),
  };
}
