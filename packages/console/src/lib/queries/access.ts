import type { AddressList } from '@portcullis/contract/access';
import { endpoints } from '@portcullis/contract/api';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../api/index.ts';

/** Every list of allowed and blocked addresses. */
export const addressListsQuery = queryOptions({
  queryKey: ['address-lists'],
  queryFn: ({ signal }): Promise<AddressList[]> => call(endpoints.access.list, {}, signal),
});

const attempts = 3;

/**
 * Puts an address on the block list of that name and site, which is made, or turned on, where it is not. Where
 * somebody else saved the list in between, the address is added to what they saved.
 * @param siteId the site that refuses the address; undefined: all do
 * @throws {ApiError} as the service refused
 */
export async function blockAddress(address: string, siteId: string | undefined, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const lists = await call(endpoints.access.list, {});
    const found = lists.find(
      (list) => list.action === 'block' && list.siteId === siteId && list.name === name,
    );
    if (!found) {
      const body = { name, action: 'block' as const, entries: [address], ...(siteId && { siteId }) };
      await call(endpoints.access.create, { body });
      return;
    }
    if (found.enabled && found.entries.includes(address)) return;
    try {
      await addTo(found, address);
      return;
    } catch (error) {
      const stale = error instanceof ApiError && error.status === 409;
      if (!stale || attempt === attempts) throw error;
    }
  }
}

async function addTo(list: AddressList, address: string): Promise<void> {
  const { id, name, description, siteId, entries, version } = list;
  const body = {
    name,
    description,
    action: 'block' as const,
    enabled: true,
    entries: [...new Set([...entries, address])],
    version,
    ...(siteId && { siteId }),
  };
  await call(endpoints.access.update, { params: { id }, body });
}
