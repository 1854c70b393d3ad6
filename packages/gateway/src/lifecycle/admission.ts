import { parseAddress } from '@portcullis/contract/access';
import { BanBook, clientKey, isLoopback } from '../access/index.ts';
import { corsHeaders, isPreflight, preflightHeaders } from '../cors/index.ts';
import { type Exchange, respond } from '../exchange/index.ts';
import { type Page, pages } from '../pages/index.ts';
import type { Finding } from '../report/index.ts';
import type { Configuration, ServedSite } from '../sites/index.ts';

/** What is decided of a request before anyone looks into it. */
export type Admission =
  /** an allow-listed client passes all later checks by */
  | { readonly kind: 'exempt' | 'admitted' }
  | { readonly kind: 'answered' }
  | {
      readonly kind: 'refused';
      readonly page: Page;
      readonly finding?: Finding;
      readonly headers?: readonly string[];
    };

const admitted: Admission = { kind: 'admitted' };
const exempt: Admission = { kind: 'exempt' };
const answered: Admission = { kind: 'answered' };

/** The first half of the order of decision: maintenance → allow-listed → blocked → CORS preflight. */
export class Admitter {
  readonly #bans = new BanBook();

  admit(exchange: Exchange, site: ServedSite, configuration: Configuration): Admission {
    const { general, security } = configuration.snapshot;
    if (general.maintenanceMode) {
      return { kind: 'refused', page: pages.maintenance, headers: ['Retry-After', '120'] };
    }
    const client = parseAddress(exchange.clientIp);
    if (client !== undefined) {
      const listed = configuration.access.decide(site.config.id, client);
      if (listed?.action === 'block') return refusedByList(listed.listId, listed.listName);
      if (listed?.action === 'allow') {
        return this.#withCors(exchange, site) ? answered : exempt;
      }
      const banned = security.blockSuspiciousIPs && this.#bans.bannedUntil(clientKey(client), exchange.time);
      if (banned) return refusedByBan(banned, exchange.time);
    }
    return this.#withCors(exchange, site) ? answered : admitted;
  }

  /**
   * Counts a block against its client.
   * @returns what to tell where it began a ban
   */
  blocked(exchange: Exchange, configuration: Configuration): Finding | undefined {
    const { security } = configuration.snapshot;
    const client = parseAddress(exchange.clientIp);
    // Nobody locks out this machine's own traffic, the console's and the health checks' among it.
    if (!security.blockSuspiciousIPs || client === undefined || isLoopback(client)) return undefined;
    if (configuration.access.allows(exchange.siteId, client)) return undefined;
    const until = this.#bans.recordBlock(clientKey(client), exchange.time, security);
    if (until === undefined) return undefined;
    const minutes = Math.ceil((until - exchange.time) / 60_000);
    return {
      kind: 'address_list',
      level: 'error',
      decision: 'block',
      ruleId: 'ban',
      message: `${exchange.clientIp} is banned for ${minutes} min after ${security.banAfterBlocks} blocked requests`,
    };
  }

  /** @returns true where the gateway has answered a preflight itself */
  #withCors(exchange: Exchange, { cors }: ServedSite): boolean {
    if (cors === undefined) return false;
    exchange.extraHeaders.push(...corsHeaders(cors, exchange.head.origin));
    if (!isPreflight(exchange)) return false;
    respond(exchange, 204, preflightHeaders(cors), '');
    return true;
  }
}

function refusedByList(listId: string, listName: string): Admission {
  return {
    kind: 'refused',
    page: pages.addressBlocked,
    finding: {
      kind: 'address_list',
      level: 'warning',
      decision: 'block',
      ruleId: listId,
      message: `Blocked: the address is on the list '${listName}'`,
    },
  };
}

function refusedByBan(until: number, now: number): Admission {
  return {
    kind: 'refused',
    page: pages.addressBlocked,
    finding: {
      kind: 'address_list',
      level: 'warning',
      decision: 'block',
      ruleId: 'ban',
      message: 'Blocked: the address is banned for a while after repeated blocks',
    },
    headers: ['Retry-After', String(Math.ceil((until - now) / 1000))],
  };
}
