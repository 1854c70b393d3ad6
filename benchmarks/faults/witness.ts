import { setTimeout as delay } from 'node:timers/promises';
import type { Fleet } from '../../packages/contract/src/fleet/index.ts';
import type { Installation, Replica } from './installation.ts';
import { timeless } from './sentences.ts';

const everyMs = 500;

/** Asks the services what a console would, and remembers each thing said. */
export interface Witness {
  /** @returns what was said since the start, each once, in order */
  stop(): Promise<string[]>;
}

/** @returns what is still said once all is well again, each once; nothing where all is */
export async function stillSaid({ replicas, call }: Installation, patienceMs: number): Promise<string[]> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const said = (await Promise.all(replicas.map((replica) => complaintsOf(replica, call)))).flat();
    if (said.length === 0 || performance.now() > until) return said;
    await delay(everyMs);
  }
}

async function complaintsOf(replica: Replica, call: Installation['call']): Promise<string[]> {
  try {
    const { status, body } = await call(replica, 'GET', '/fleet');
    if (status !== 200) return [`${replica.name} answers ${status}`];
    return (body as Fleet).members.flatMap(({ id, state, behindBy, warnings }) => [
      ...(state === 'present' ? [] : [`${replica.name} says that ${id} is ${state}`]),
      ...(behindBy === 0 ? [] : [`${replica.name} says that ${id} is ${behindBy} changes behind`]),
      // Of who was killed is told for as long as that is news.
      ...warnings
        .filter(({ code }) => code !== 'ended')
        .map(({ text }) => `${replica.name} says of ${id}: ${text}`),
    ]);
  } catch (error) {
    return [`${replica.name}: ${(error as Error).message}`];
  }
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
      if (member.onDuty) said.add(`${member.id} is on duty`);
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
