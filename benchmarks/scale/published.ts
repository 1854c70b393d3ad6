import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gatewayRuntime } from '../../packages/cli/src/launcher/gateway-runtime.ts';
import { createLinkServer, linkSocketPath } from '../../packages/cli/src/link/index.ts';
import { createRedisControlLink } from '../../packages/cli/src/redis/index.ts';
import { type PartProcess, startPart, startRedis } from '../../packages/cli/src/redis/testing/index.ts';
import type { ConfigSnapshot, ControlPlane, Directive } from '../../packages/contract/src/link/index.ts';

/** SQLite and a Unix socket, or PostgreSQL and Redis. */
export type Shape = 'embedded' | 'machines';

const clusterKey = 'a cluster key of more than 32 characters';
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** A gateway process as operators start it, and in this process the service's end of its link. */
export interface Published {
  readonly part: PartProcess;
  /** @returns once the gateway says that it serves by it */
  publish(snapshot: ConfigSnapshot): Promise<void>;
  /** @returns milliseconds of its own work that held a watched gateway's loop at most since it was asked before */
  ownWorstMs(): number;
  stop(): Promise<void>;
}

/**
 * @param shape over a Unix socket, or over a Redis of its own
 * @param options.watched whether its own work is watched, which costs it some
 */
export async function startPublished(shape: Shape, { watched = false } = {}): Promise<Published> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-published-'));
  const ownWork = path.join(folder, 'own-work');
  const listeners = new Set<(directive: Directive) => void>();
  let current: readonly Directive[] = [];
  let inForce = Number.NaN;
  const done = async () => ({ delivered: true }) as const;
  const plane: ControlPlane = {
    current: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    accept: done,
    acceptAll: done,
    acceptReport({ configVersion, refused }) {
      if (refused) throw new Error(`refused: ${refused.reason}`);
      inForce = configVersion ?? Number.NaN;
    },
    acceptSightings: () => {},
    fleet: () => undefined,
    overtaken: async () => {},
  };
  const ends: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const environment = environmentOf(folder, watched ? ownWork : undefined);
  if (shape === 'machines') {
    const redis = await startRedis();
    const link = createRedisControlLink({ url: redis.url, clusterKey, log: silent });
    link.start(plane);
    ends.unshift(
      () => link.stop(),
      () => redis.stop(),
    );
    Object.assign(environment, { PORTCULLIS_REDIS_URL: redis.url, PORTCULLIS_CLUSTER_KEY: clusterKey });
  } else {
    const link = createLinkServer(linkSocketPath(folder), plane, silent);
    await link.start();
    ends.unshift(() => link.stop());
  }
  const part = await startPart(['gateway', '--id', 'gateway-1'], environment);
  ends.unshift(() => part.stop());
  return {
    part,
    async publish(snapshot) {
      const directive: Directive = { type: 'snapshot', snapshot };
      current = [directive];
      for (const listener of listeners) listener(directive);
      while (inForce !== snapshot.version) await delay(50);
    },
    ownWorstMs() {
      const noted = existsSync(ownWork) ? readFileSync(ownWork, 'latin1').trimEnd().split('\n') : [];
      rmSync(ownWork, { force: true });
      return Math.max(0, ...noted.map(Number));
    },
    async stop() {
      for (const end of ends) await end();
    },
  };
}

const environmentOf = (folder: string, ownWork: string | undefined): Record<string, string> => ({
  PORTCULLIS_DATA_DIR: folder,
  PORTCULLIS_HTTP_PORT: '0',
  PORTCULLIS_HTTPS_PORT: '0',
  PORTCULLIS_GATEWAY_WORKERS: '1',
  ...gatewayRuntime,
  ...(ownWork !== undefined && {
    NODE_OPTIONS: `${gatewayRuntime.NODE_OPTIONS} --import=${path.join(import.meta.dirname, 'own-work.ts')}`,
    OWN_WORK_FILE: ownWork,
  }),
});
