import { isDeepStrictEqual } from 'node:util';
import { AddressList, Network } from '@portcullis/contract/access';
import { ConfigSnapshot, GatewaySite } from '@portcullis/contract/link';
import type { z } from 'zod';
import type { Steps } from '../steps.ts';
import { Alike } from './alike.ts';

type Issue = z.core.$ZodIssue;

/** A snapshot that fits, or what does not fit in it. */
export type ReadSnapshot =
  | { readonly success: true; readonly data: ConfigSnapshot }
  | { readonly success: false; readonly issues: readonly Issue[] };

/** Entries of a list that one step looks at: some tens of microseconds. */
const entriesPerStep = 64;

const arrayIn = (received: unknown, name: 'sites' | 'addressLists' | 'entries'): unknown[] => {
  const found = (received as Partial<Record<typeof name, unknown>> | null | undefined)?.[name];
  return Array.isArray(found) ? found : [];
};

/** @returns how much there is to look at in a snapshot, in sites; a site is about as much as a hundred addresses */
export const weightOf = (received: unknown): number =>
  arrayIn(received, 'sites').length +
  arrayIn(received, 'addressLists').reduce<number>(
    (sum, list) => sum + arrayIn(list, 'entries').length / 100,
    0,
  );

/**
 * Sites as they came that say all of what a site says and nothing more: they are taken as they are, now and when they
 * come again as the same object, so that what did not change is read once and held once.
 */
export class SoundSites {
  readonly #known = new WeakSet<object>();
  readonly #alike = new Alike();

  has(site: unknown): site is GatewaySite {
    return this.#known.has(site as object);
  }

  /** @param read of it. @returns which of the two is to be served by */
  take(site: unknown, read: GatewaySite): GatewaySite {
    const same = isDeepStrictEqual(site, read);
    const taken = same ? (site as GatewaySite) : read;
    this.#alike.share(taken);
    if (same) this.#known.add(taken);
    return taken;
  }
}

/** As `ConfigSnapshot.safeParse`, a site and some addresses at a time. */
export function* readSnapshot(received: unknown, sound: SoundSites): Steps<ReadSnapshot> {
  if (typeof received !== 'object' || received === null) {
    const { data, error } = ConfigSnapshot.safeParse(received);
    return data ? { success: true, data } : { success: false, issues: error?.issues ?? [] };
  }
  const issues: Issue[] = [];
  const within = (path: PropertyKey[], found: readonly Issue[]) =>
    void issues.push(...found.map((issue) => ({ ...issue, path: [...path, ...issue.path] })));
  // What is no array stays where it is, to be refused with the rest.
  const pieces = (name: 'sites' | 'addressLists') =>
    Array.isArray((received as Record<string, unknown>)[name]) ? { [name]: [] } : {};
  const whole = ConfigSnapshot.safeParse({ ...received, ...pieces('sites'), ...pieces('addressLists') });
  if (!whole.success) within([], whole.error.issues);
  const sites: GatewaySite[] = [];
  for (const [index, site] of arrayIn(received, 'sites').entries()) {
    if (sound.has(site)) {
      sites.push(site);
      yield;
      continue;
    }
    const read = GatewaySite.safeParse(site);
    if (read.success) sites.push(sound.take(site, read.data));
    else within(['sites', index], read.error.issues);
    yield;
  }
  const addressLists: AddressList[] = [];
  for (const [index, list] of arrayIn(received, 'addressLists').entries()) {
    const read = AddressList.safeParse(hasEntries(list) ? { ...list, entries: [] } : list);
    if (!read.success) within(['addressLists', index], read.error.issues);
    const entries: string[] = [];
    for (const [at, entry] of arrayIn(list, 'entries').entries()) {
      const network = Network.safeParse(entry);
      if (network.success) entries.push(network.data);
      else within(['addressLists', index, 'entries', at], network.error.issues);
      if (at % entriesPerStep === 0) yield;
    }
    if (read.success) addressLists.push({ ...read.data, entries });
  }
  if (issues.length > 0 || !whole.success) return { success: false, issues };
  return { success: true, data: { ...whole.data, sites, addressLists } };
}

const hasEntries = (list: unknown): list is { readonly entries: unknown[] } =>
  Array.isArray((list as { entries?: unknown } | null)?.entries);
