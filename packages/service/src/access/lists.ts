import { type AddressList, AddressListCreate } from '@portcullis/contract/access';
import { ObjectStore, type StoredObject } from '../configuration/index.ts';

/** The stored address lists; a list that is for one site is a part of it. */
export function addressListStore(): ObjectStore<AddressListCreate> {
  return new ObjectStore<AddressListCreate>('address_list', AddressListCreate, ['entries']);
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
