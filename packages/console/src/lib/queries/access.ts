import type { AddressListAnswer } from '@portcullis/contract/access';
import { endpoints } from '@portcullis/contract/api';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call, callText } from '../api/index.ts';

const withoutEntries = { query: { entries: 'none' } } as const;

/** Every list of allowed and blocked addresses, without their entries: there may be a million. */
export const addressListsQuery = queryOptions({
  queryKey: ['address-lists'],
  queryFn: ({ signal }): Promise<AddressListAnswer[]> => call(endpoints.access.list, withoutEntries, signal),
});

/** How many addresses a list has. A server that does not count them sends them all. */
export const entryCount = ({ entry_count, entries }: AddressListAnswer) => entry_count ?? entries.length;

/** The addresses of a list that was read without them. */
export async function entriesOf(list: AddressListAnswer): Promise<string[]> {
  if (list.entries.length === entryCount(list)) return list.entries;
  const text = await callText(endpoints.access.entries, { params: { id: list.id } });
  return text.split('\n').filter((line) => line !== '');
}

const attempts = 3;

/**
 * Puts an address on the block list of that name and site, which is made, or turned on, where it is not. Where
 * somebody else saved the list in between, the address is added to what they saved.
 * @param siteId the site that refuses the address; undefined: all do
 * @throws {ApiError} as the service refused
 */
export async function blockAddress(address: string, siteId: string | undefined, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const lists = await call(endpoints.access.list, withoutEntries);
    const found = lists.find(
      (list) => list.action === 'block' && list.siteId === siteId && list.name === name,
    );
    if (!found) {
      const body = { name, action: 'block' as const, entries: [address], ...(siteId && { siteId }) };
      await call(endpoints.access.create, { body });
      return;
    }
    const entries = await entriesOf(found);
    if (found.enabled && entries.includes(address)) return;
    try {
      await addTo(found, [...entries, address]);
      return;
    } catch (error) {
      const stale = error instanceof ApiError && error.status === 409;
      if (!stale || attempt === attempts) throw error;
    }
  }
}

async function addTo(list: AddressListAnswer, entries: string[]): Promise<void> {
  const { id, name, description, siteId, version } = list;
  const body = {
    name,
    description,
    action: 'block' as const,
    enabled: true,
    entries: [...new Set(entries)],
    version,
    ...(siteId && { siteId }),
  };
  await call(endpoints.access.update, { params: { id }, body });
}
