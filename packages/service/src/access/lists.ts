import {
  type AddressList,
  AddressListCreate,
  maxListEntries,
  maxTemporaryEntries,
  type TemporaryEntry,
} from '@portcullis/contract/access';
import type { Issue } from '@portcullis/contract/api';
import { ObjectStore, type StoredObject } from '../configuration/index.ts';

/** The stored address lists; a list that is for one site is a part of it. */
export function addressListStore(): ObjectStore<AddressListCreate> {
  return new ObjectStore<AddressListCreate>('address_list', AddressListCreate, ['entries']);
}

/** @returns what has not ended, each entry once with its last end */
export function notEnded(temporary: readonly TemporaryEntry[], now: number): TemporaryEntry[] {
  const last = new Map<string, TemporaryEntry>();
  for (const one of temporary) {
    const end = Date.parse(one.expires_at);
    const known = last.get(one.entry);
    if (end > now && (known === undefined || Date.parse(known.expires_at) < end)) last.set(one.entry, one);
  }
  return [...last.values()];
}

/**
 * A stored list without what has ended: that stays stored until the list is saved again, so that nothing has to happen
 * when an entry ends.
 */
export function listAt(
  stored: StoredObject<AddressListCreate>,
  now: number,
): StoredObject<AddressListCreate> {
  return { ...stored, value: { ...stored.value, temporary: notEnded(stored.value.temporary, now) } };
}

/** What all lists together may not be. */
export function listsIssues(lists: readonly AddressListCreate[]): Issue[] {
  const bounds = [
    { path: 'entries', most: maxListEntries, what: 'entries' },
    { path: 'temporary', most: maxTemporaryEntries, what: 'entries with an end' },
  ] as const;
  return bounds.flatMap(({ path, most, what }) => {
    const count = lists.reduce((sum, list) => sum + list[path].length, 0);
    return count > most ? [{ path, message: `All lists together hold ${most} ${what} at most` }] : [];
  });
}

/** A stored list as the API and the gateways read it. */
export function presentAddressList(
  stored: StoredObject<AddressListCreate>,
): AddressList & { readonly entry_count: number } {
  return {
    ...stored.value,
    id: stored.id,
    entry_count: stored.value.entries.length,
    version: stored.version,
    created_at: new Date(stored.createdAt).toISOString(),
    updated_at: new Date(stored.updatedAt).toISOString(),
  };
}
