import { isDeepStrictEqual } from 'node:util';
import { type AddressList, type AddressWords, parseNetwork } from '@portcullis/contract/access';
import type { Steps } from '../steps.ts';
import { AddressSet, type OwnedNetwork } from './address-set.ts';
import { type TimedNetwork, TimedSet } from './timed-set.ts';

/** Why an address is let in or refused. */
export interface ListVerdict {
  readonly action: 'allow' | 'block';
  readonly listId: string;
  readonly listName: string;
}

/** All enabled lists, compiled: immutable, part of one configuration. */
export interface AccessLists {
  /**
   * Allow counts before block, and what a site says before what counts everywhere.
   * @param now Unix milliseconds
   * @returns undefined where no list names the address
   */
  decide(siteId: string, client: AddressWords, now: number): ListVerdict | undefined;
  /** whether any list that counts on the site, or everywhere, lets the address in */
  allows(siteId: string | undefined, client: AddressWords, now: number): boolean;
  readonly size: number;
  /** what it was compiled from */
  readonly lists: readonly AddressList[];
}

type Action = AddressList['action'];

/** The addresses of one scope and action: those that stay, and those that end. */
interface Named {
  readonly lasting: AddressSet;
  readonly timed: TimedSet;
}

/** Entries that are read in one step. */
const entriesPerStep = 256;

/**
 * Compiles the lists that are enabled. Lists of a site hold for it alone.
 * @param before what is in force: returned as it is where nothing changed, since building a million entries
 * takes seconds and comparing them milliseconds
 */
export function* compileAccessLists(lists: readonly AddressList[], before?: AccessLists): Steps<AccessLists> {
  if (before && sameLists(before.lists, lists)) return before;
  const enabled = lists.filter((list) => list.enabled);
  const scopes = new Map<string | undefined, Record<Action, Named>>();
  for (const siteId of new Set([undefined, ...enabled.map((list) => list.siteId)])) {
    const allow = yield* setOf(enabled, siteId, 'allow');
    scopes.set(siteId, { allow, block: yield* setOf(enabled, siteId, 'block') });
  }
  const everywhere = scopes.get(undefined);
  const find = (
    siteId: string | undefined,
    action: Action,
    client: AddressWords,
    now: number,
  ): ListVerdict | undefined => {
    const own = siteId === undefined ? -1 : ownerIn(scopes.get(siteId)?.[action], client, now);
    const owner = own === -1 ? ownerIn(everywhere?.[action], client, now) : own;
    const list = enabled[owner];
    return list && { action, listId: list.id, listName: list.name };
  };
  let size = 0;
  for (const { allow, block } of scopes.values()) size += sizeOf(allow) + sizeOf(block);
  return {
    decide: (siteId, client, now) =>
      size === 0 ? undefined : (find(siteId, 'allow', client, now) ?? find(siteId, 'block', client, now)),
    allows: (siteId, client, now) => find(siteId, 'allow', client, now) !== undefined,
    size,
    lists,
  };
}

const sizeOf = ({ lasting, timed }: Named) => lasting.size + timed.size;

function ownerIn(named: Named | undefined, client: AddressWords, now: number): number {
  if (named === undefined) return -1;
  const owner = named.lasting.find(client);
  return owner === -1 ? named.timed.find(client, now) : owner;
}

function sameLists(a: readonly AddressList[], b: readonly AddressList[]): boolean {
  return a.length === b.length && a.every((list, index) => sameList(list, b[index] as AddressList));
}

function sameList(a: AddressList, b: AddressList): boolean {
  const { entries: entriesA, ...restA } = a;
  const { entries: entriesB, ...restB } = b;
  if (entriesA.length !== entriesB.length || !isDeepStrictEqual(restA, restB)) return false;
  return entriesA.every((entry, index) => entry === entriesB[index]);
}

function* setOf(lists: readonly AddressList[], siteId: string | undefined, action: Action): Steps<Named> {
  const networks: OwnedNetwork[] = [];
  const timed: TimedNetwork[] = [];
  for (const [owner, list] of lists.entries()) {
    if (list.siteId !== siteId || list.action !== action) continue;
    for (const [at, entry] of list.entries.entries()) {
      if (at % entriesPerStep === 0) yield;
      const network = parseNetwork(entry);
      if (network) networks.push({ network, owner });
    }
    for (const { entry, expires_at } of list.temporary) {
      const network = parseNetwork(entry);
      if (network) timed.push({ network, owner, until: Date.parse(expires_at) });
    }
    yield;
  }
  return { lasting: new AddressSet(networks), timed: new TimedSet(timed) };
}

/** One unnamed set, for trusted proxies and exemptions. What is no network is left out. */
export function addressSetOf(entries: readonly string[]): AddressSet {
  const networks = entries.map(parseNetwork).filter((network) => network !== undefined);
  return new AddressSet(networks.map((network) => ({ network, owner: 0 })));
}
