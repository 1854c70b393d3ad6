import type { AddressList } from '@portcullis/contract/access';
import { endpoints } from '@portcullis/contract/api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/index.ts';

/** Every list of allowed and blocked addresses. */
export const addressListsQuery = queryOptions({
  queryKey: ['address-lists'],
  queryFn: ({ signal }): Promise<AddressList[]> => call(endpoints.access.list, {}, signal),
});

/**
 * Puts an address on the block list of that name and site, which is made, or turned on, where it is not.
 * @param siteId the site that refuses the address; undefined: all do
 * @throws {ApiError} as the service refused
 */
export async function blockAddress(address: string, siteId: string | undefined, name: string): Promise<void> {
  const lists = await call(endpoints.access.list, {});
  const found = lists.find((list) => list.action === 'block' && list.siteId === siteId && list.name === name);
  if (!found) {
    const body = { name, action: 'block' as const, entries: [address], ...(siteId && { siteId }) };
    await call(endpoints.access.create, { body });
    return;
  }
  const { id, description, enabled, entries } = found;
  if (enabled && entries.includes(address)) return;
  const body = {
    name,
    description,
    action: 'block' as const,
    enabled: true,
    entries: [...new Set([...entries, address])],
    ...(siteId && { siteId }),
  };
  await call(endpoints.access.update, { params: { id }, body });
}
