import { setTimeout as delay } from 'node:timers/promises';
import type { Installation, Replica } from './installation.ts';

const everyMs = 500;

/** Asks the services what a console would, and remembers each thing said. */
export interface Witness {
  /** @returns what was said since the start, each once, in order */
  stop(): Promise<string[]>;
}

/** @see Witness */
export function startWitness({ replicas, edges, call }: Installation): Witness {
  const said = new Set<string>();
  let stopping = false;
  const ask = async (replica: Replica) => {
    const { status, body } = await call(replica, 'GET', '/configuration/gateways');
    if (status !== 200) {
      said.add(`${replica.name} answers ${status}: ${(body as { error?: string }).error}`);
      return;
    }
    const gateways = body as { id: string; problems?: string[]; current: boolean; spoolBytes: number }[];
    for (const { name } of edges) {
      const gateway = gateways.find(({ id }) => id.startsWith(`${name}.`));
      if (!gateway) said.add(`${name} is absent`);
      for (const problem of gateway?.problems ?? []) said.add(`${name}: ${problem}`);
      if ((gateway?.spoolBytes ?? 0) > 0) said.add(`${name} has events waiting on disk`);
      if (gateway && !gateway.current) said.add(`${name} is behind`);
    }
  };
  const watching = (async () => {
    while (!stopping) {
      await Promise.all(
        replicas
          .filter(({ up }) => up)
          .map((replica) =>
            ask(replica).catch((error: Error) => {
              if (replica.up)
                said.add(`${replica.name}: ${error.name === 'TimeoutError' ? 'no answer' : error.message}`);
            }),
          ),
      );
      await delay(everyMs);
    }
  })();
  return {
    async stop() {
      stopping = true;
      await watching;
      return [...said];
    },
  };
}
