import { Recent } from '../memory/index.ts';

/** When repeated blocks become a ban. Times in seconds. */
export interface BanPolicy {
  readonly banAfterBlocks: number;
  readonly banWindow: number;
  readonly banDuration: number;
}

interface Record {
  /** when the window that `blocks` counts began */
  since: number;
  blocks: number;
  /** 0 while not banned */
  bannedUntil: number;
}

/** Clients remembered; beyond it the one whose last block is longest ago is forgotten. */
export const maxRememberedClients = 100_000;

/**
 * Remembers who was blocked how often, and bans for a while who does not stop. A ban ends by itself; a block
 * during a ban does not lengthen it, so that a shared address is free again at the time that was told.
 */
export class BanBook {
  readonly #records: Recent<Record>;

  constructor(maxClients: number = maxRememberedClients) {
    this.#records = new Recent(maxClients);
  }

  get size(): number {
    return this.#records.size;
  }

  /**
   * @param now monotonic milliseconds: a clock that is set back must not keep anyone out for a day
   * @returns when the ban ends, where this block began one; else undefined
   */
  recordBlock(client: string, now: number, policy: BanPolicy): number | undefined {
    const known = this.#records.peek(client);
    const record = known ?? { since: now, blocks: 0, bannedUntil: 0 };
    if (record.bannedUntil > now) return undefined;
    const stale =
      now - record.since >= policy.banWindow * 1000 || record.since > now || record.bannedUntil > 0;
    if (stale) Object.assign(record, { since: now, blocks: 0, bannedUntil: 0 });
    record.blocks++;
    if (record.blocks >= policy.banAfterBlocks) record.bannedUntil = now + policy.banDuration * 1000;
    this.#records.set(client, record);
    return record.bannedUntil > 0 ? record.bannedUntil : undefined;
  }

  /** Takes up a ban that began on another gateway. */
  ban(client: string, until: number): void {
    this.#records.set(client, { since: until, blocks: 0, bannedUntil: until });
  }

  /** @returns when the client's ban ends; undefined where it has none */
  bannedUntil(client: string, now: number): number | undefined {
    if (this.#records.size === 0) return undefined;
    const until = this.#records.peek(client)?.bannedUntil ?? 0;
    return until > now ? until : undefined;
  }
}
