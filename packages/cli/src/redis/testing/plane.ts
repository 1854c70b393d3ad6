import {
  ConfigSnapshot,
  type ControlPlane,
  type Directive,
  type EventBatch,
  linkVersion,
} from '@portcullis/contract/link';

/** Of the challenge key in each {@link snapshotOf}. */
export const secret = Buffer.alloc(32, 'challenge').toString('base64');

/** A snapshot without sites. */
export function snapshotOf(version: number): ConfigSnapshot {
  return ConfigSnapshot.parse({
    linkVersion,
    version,
    createdAt: '2026-01-01T00:00:00.000Z',
    sites: [],
    secrets: { challengeKeys: [{ id: 'k1', secret }] },
  });
}

export const batchOf = (id: string): EventBatch => ({
  id,
  gatewayId: 'one',
  events: [],
  counters: [],
  dropped: 0,
});

/** A service that remembers what it was given, each batch once, as storage does; one called `bad` it cannot hold. */
export function rememberingPlane(version: number) {
  const listeners = new Set<(directive: Directive) => void>();
  const stored: string[] = [];
  const overtaken: number[] = [];
  let current = snapshotOf(version);
  let refusing = false;
  const plane: ControlPlane = {
    current: () => [{ type: 'snapshot', snapshot: current }],
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    accept: (batch) => plane.acceptAll([batch]),
    async acceptAll(batches) {
      if (refusing) return { delivered: false, retry: true, reason: 'the database is away' };
      if (batches.some(({ id }) => id === 'bad'))
        return { delivered: false, retry: false, reason: 'a value is out of range' };
      for (const { id } of batches) if (!stored.includes(id)) stored.push(id);
      return { delivered: true };
    },
    acceptReport: () => {},
    fleet: () => undefined,
    acceptSightings: () => {},
    overtaken: async (newer) => void overtaken.push(newer),
  };
  return {
    plane,
    stored,
    overtaken,
    refuse: (refuses: boolean) => {
      refusing = refuses;
    },
    change(to: number) {
      current = snapshotOf(to);
      for (const listener of listeners) listener({ type: 'snapshot', snapshot: current });
    },
  };
}
