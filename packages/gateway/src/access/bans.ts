import { randomUUID } from 'node:crypto';
import { Recent } from '../memory/index.ts';

/** When repeated blocks become a ban. Times in seconds. */
export interface BanPolicy {
  readonly banAfterBlocks: number;
  readonly banWindow: number;
  readonly banDuration: number;
}

/** A ban of a client. */
export interface BanTerm {
  /** the same on every gateway */
  readonly id: string;
  /** monotonic milliseconds */
  readonly until: number;
}

interface Record {
  /** when the window that `blocks` counts began */
  since: number;
  blocks: number;
  ban: BanTerm | undefined;
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
   * @returns the ban, where this block began one; else undefined
   */
  recordBlock(client: string, now: number, policy: BanPolicy): BanTerm | undefined {
    const known = this.#records.peek(client);
    const record = known ?? { since: now, blocks: 0, ban: undefined };
    if (record.ban !== undefined && record.ban.until > now) return undefined;
    const stale =
      now - record.since >= policy.banWindow * 1000 || record.since > now || record.ban !== undefined;
    if (stale) Object.assign(record, { since: now, blocks: 0, ban: undefined });
    record.blocks++;
    if (record.blocks >= policy.banAfterBlocks)
      record.ban = { id: randomUUID(), until: now + policy.banDuration * 1000 };
    this.#records.set(client, record);
    return record.ban;
  }

  /** Takes up a ban that began elsewhere, unless the client has one here. */
  ban(client: string, now: number, ban: BanTerm): void {
    if (this.bannedUntil(client, now) === undefined)
      this.#records.set(client, { since: ban.until, blocks: 0, ban });
  }

  /** Ends one ban; the client's blocks count from none again. */
  lift(client: string, id: string): void {
    const record = this.#records.peek(client);
    if (record?.ban?.id === id) Object.assign(record, { blocks: 0, ban: undefined });
  }

  /** @returns when the client's ban ends; undefined where it has none */
  bannedUntil(client: string, now: number): number | undefined {
    if (this.#records.size === 0) return undefined;
    const until = this.#records.peek(client)?.ban?.until ?? 0;
    return until > now ? until : undefined;
  }
}
