import type { AddressListAnswer, AddressListUpdate } from '@portcullis/contract/access';
import { endpoints } from '@portcullis/contract/api';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiError, call, callText } from '../api/index.ts';

const withoutEntries = { query: { entries: 'none' } } as const;

/** Every list of allowed and blocked addresses, without their entries: there may be a million. */
export const addressListsQuery = queryOptions({
  queryKey: ['address-lists'],
  queryFn: ({ signal }): Promise<AddressListAnswer[]> => call(endpoints.access.list, withoutEntries, signal),
});

/** How many addresses a list has. A server that does not count them sends them all. */
export const entryCount = ({ entry_count, entries }: AddressListAnswer) => entry_count ?? entries.length;

/** As {@link entryCount}, with those that end. */
export const addressCount = (list: AddressListAnswer) => entryCount(list) + list.temporary.length;

/** The addresses of a list that was read without them, those that end not among them. */
export async function entriesOf(list: AddressListAnswer): Promise<string[]> {
  if (list.entries.length === entryCount(list)) return list.entries;
  const text = await callText(endpoints.access.entries, { params: { id: list.id } });
  return text.split('\n').filter((line) => line !== '');
}

const attempts = 3;

/**
 * Puts an address on the block list of that name and site, which is made, or turned on, where it is not. Where
 * somebody else saved the list in between, the address is added to what they saved.
 * @param where.siteId the site that refuses the address; undefined: all do
 * @param end ISO 8601; undefined: none, until it is taken off again
 * @throws {ApiError} as the service refused
 */
export async function blockAddress(
  address: string,
  where: { readonly siteId: string | undefined; readonly name: string },
  end: string | undefined,
): Promise<void> {
  const { siteId, name } = where;
  for (let attempt = 1; ; attempt++) {
    const lists = await call(endpoints.access.list, withoutEntries);
    const found = lists.find(
      (list) => list.action === 'block' && list.siteId === siteId && list.name === name,
    );
    if (!found) {
      const made = end === undefined ? { entries: [address] } : { temporary: [ending(address, end)] };
      const body = { name, action: 'block' as const, ...made, ...(siteId && { siteId }) };
      await call(endpoints.access.create, { body });
      return;
    }
    const entries = await entriesOf(found);
    const stays = entries.includes(address);
    if (found.enabled && stays) return;
    const others = found.temporary.filter(({ entry }) => entry !== address);
    const added =
      stays || end === undefined
        ? { entries: [...new Set([...entries, address])], temporary: others }
        : { temporary: [...others, ending(address, end)] };
    try {
      await addTo(found, added);
      return;
    } catch (error) {
      const stale = error instanceof ApiError && error.status === 409;
      if (!stale || attempt === attempts) throw error;
    }
  }
}

const ending = (entry: string, expires_at: string) => ({ entry, expires_at });

/** @param addresses left out stay */
async function addTo(
  list: AddressListAnswer,
  addresses: Pick<z.input<typeof AddressListUpdate>, 'entries' | 'temporary'>,
): Promise<void> {
  const { id, name, description, siteId, version } = list;
  const body = {
    name,
    description,
    action: 'block' as const,
    enabled: true,
    ...addresses,
    version,
    ...(siteId && { siteId }),
  };
  await call(endpoints.access.update, { params: { id }, body });
}
