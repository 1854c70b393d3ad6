import { setTimeout as delay } from 'node:timers/promises';
import type { Fleet } from '../../packages/contract/src/fleet/index.ts';
import type { Installation, Replica } from './installation.ts';

const everyMs = 500;

/** A sentence that counts the seconds is the same one a second later. */
const timeless = (text: string) => text.replaceAll(/\d+/g, '…');

/** Asks the services what a console would, and remembers each thing said. */
export interface Witness {
  /** @returns what was said since the start, each once, in order */
  stop(): Promise<string[]>;
}

/** @see Witness */
export function startWitness({ replicas, call }: Installation): Witness {
  const said = new Set<string>();
  let stopping = false;
  const ask = async (replica: Replica) => {
    const { status, body } = await call(replica, 'GET', '/fleet');
    if (status !== 200) {
      said.add(`${replica.name} answers ${status}: ${(body as { error?: string }).error}`);
      return;
    }
    for (const member of (body as Fleet).members) {
      if (member.state !== 'present') said.add(`${member.id} is ${member.state}`);
      for (const { code, text } of member.warnings) said.add(`${member.id} ${code}: ${timeless(text)}`);
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
