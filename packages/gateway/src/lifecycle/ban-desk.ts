import {
  type Ban,
  type BanInForce,
  clientNetwork,
  type LiftedBan,
  parseAddress,
  parseNetwork,
} from '@portcullis/contract/access';
import type { SharedLimits } from '@portcullis/contract/link';
import { BanBook, clientKey, isLoopback } from '../access/index.ts';
import type { Finding } from '../report/index.ts';
import type { Stage } from './stage.ts';

/** What is made of a ban that begins here. */
export type OnBan = (finding: Finding, ban: Ban) => void;

const maxReasonLength = 512;

/**
 * Who is banned, on this gateway and by word of the others. Where nobody can be reached, a gateway bans by what it
 * saw itself, and a ban that cannot be lifted ends by itself.
 */
export class BanDesk {
  readonly #shared: SharedLimits | undefined;
  #book = new BanBook();
  #operators: ReadonlySet<string> = new Set();
  #enabled = true;

  /** @param shared absent where gateways share no server */
  constructor(shared: SharedLimits | undefined) {
    this.#shared = shared;
  }

  /** @param enabled whether anybody may be banned; where not, all bans end */
  enable(enabled: boolean): void {
    this.#enabled = enabled;
    if (enabled) return;
    this.#book = new BanBook();
    this.#shared?.endBans();
  }

  /** Takes up bans that began elsewhere. */
  take(bans: readonly BanInForce[]): void {
    if (!this.#enabled) return;
    const now = performance.now();
    for (const { id, address, forMs } of bans) {
      const key = keyOf(address);
      if (key !== undefined) this.#book.ban(key, now, { id, until: now + forMs });
    }
  }

  /** Ends bans before their time. */
  lift(bans: readonly LiftedBan[]): void {
    for (const { id, address } of bans) {
      const key = keyOf(address);
      if (key !== undefined) this.#book.lift(key, id);
    }
  }

  /** @param addresses from which the console is in use */
  protect(addresses: readonly string[]): void {
    const keys = addresses.map((address) => parseAddress(address)).filter((words) => words !== undefined);
    this.#operators = new Set(keys.map(clientKey));
  }

  /** @returns when the client's ban ends, monotonic milliseconds; undefined where it may come in */
  keepsOut(key: string, now: number): number | undefined {
    const until = this.#enabled ? this.#book.bannedUntil(key, now) : undefined;
    return until !== undefined && this.#operators.has(key) ? undefined : until;
  }

  /**
   * Counts a block against its client.
   * @param why of the block
   * @param onBan called where a ban began
   */
  blocked({ exchange, configuration, client }: Stage, why: Finding, onBan: OnBan): void {
    const { security } = configuration.snapshot;
    const address = clientNetwork(exchange.clientIp);
    if (!security.blockSuspiciousIPs || address === undefined) return;
    // Nobody locks out this machine's own traffic, the console's and the health checks' among it, nor a proxy, for
    // with it went everybody behind it.
    if (isLoopback(client) || configuration.trustedProxies.has(client)) return;
    const key = clientKey(client);
    if (this.#operators.has(key)) return;
    if (configuration.access.allows(exchange.siteId, client, exchange.time)) return;
    const { banAfterBlocks, banWindow, banDuration } = security;
    const begin = (id: string) => {
      const { time: since, clientIp, siteId } = exchange;
      const until = since + banDuration * 1000;
      const reason = `${banAfterBlocks} blocked requests within ${banWindow} s, the last one: ${why.message}`;
      const ban: Ban = {
        ...{ id, address, clientIp: clientIp.slice(0, 64), since, until },
        ...(siteId !== undefined && { siteId }),
        reason: reason.slice(0, maxReasonLength),
      };
      this.#shared?.ban({ id, address, forMs: banDuration * 1000 });
      onBan(findingOf(ban), ban);
    };
    const ban = this.#book.recordBlock(key, exchange.startedAt, security);
    if (ban !== undefined) {
      begin(ban.id);
      return;
    }
    // A ban begins here as well where each gateway saw too few blocks, and all of them together did not.
    void this.#shared?.recordBlock(address, security).then((together) => {
      if (!together) return;
      const id = exchange.id;
      this.#book.ban(key, exchange.startedAt, { id, until: exchange.startedAt + banDuration * 1000 });
      begin(id);
    });
  }
}

function keyOf(address: string): string | undefined {
  const network = parseNetwork(address);
  return network && clientKey(network.words);
}

function findingOf({ address, since, until, reason }: Ban): Finding {
  const end = new Date(until).toISOString().replace('T', ' ').slice(0, 19);
  const minutes = Math.ceil((until - since) / 60_000);
  const message = `${address} is banned until ${end} UTC (${minutes} min) after ${reason}`;
  return { kind: 'address_list', level: 'error', decision: 'block', ruleId: 'ban', message };
}
