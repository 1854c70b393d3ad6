import {
  type AddressList,
  type AddressListCreate,
  type AddressListUpdate,
  maxListEntries,
} from '@portcullis/contract/access';
import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import {
  type Author,
  type Configuration,
  type ConfigurationWork,
  newObject,
  nextVersion,
  type ObjectStore,
  staleVersion,
} from '../configuration/index.ts';
import { serve } from '../http/index.ts';
import { newId } from '../identity.ts';
import { failure, invalid, success } from '../outcome.ts';
import type { SiteRepository } from '../sites/index.ts';
import type { Storage } from '../storage/index.ts';
import { presentAddressList } from './lists.ts';

export interface AccessParts {
  readonly storage: Storage;
  readonly configuration: Configuration;
  readonly addressLists: ObjectStore<AddressListCreate>;
  readonly sites: SiteRepository;
}

/** @param id of the list to replace; absent adds one */
function saving(
  { addressLists, sites }: AccessParts,
  author: Author,
  { version, ...sent }: AddressListUpdate,
  id?: string,
): ConfigurationWork<AddressList> {
  return async (trx, now) => {
    const value = { ...sent, entries: [...new Set(sent.entries)] };
    const { siteId = null, name } = value;
    const stored = await addressLists.list(trx);
    const before = stored.find((list) => list.id === id);
    if (id !== undefined && !before) return failure('not_found');
    const stale = before && (await staleVersion(trx, { ...before, kind: addressLists.kind }, version));
    if (stale) return stale;
    if (siteId !== null && !(await sites.find(trx, siteId))) {
      return invalid([{ path: 'siteId', message: 'There is no such site' }]);
    }
    const others = stored
      .filter((list) => list.id !== id)
      .reduce((sum, list) => sum + list.value.entries.length, 0);
    if (others + value.entries.length > maxListEntries) {
      return invalid([
        { path: 'entries', message: `All lists together hold ${maxListEntries} entries at most` },
      ]);
    }
    const after = before
      ? { ...nextVersion(before, value, author, now), parentId: siteId }
      : newObject(newId('list'), siteId, value, author, now);
    await addressLists.save(trx, after);
    return success({
      value: presentAddressList(after),
      action: before ? 'access.update' : 'access.create',
      reason: `The address list "${name}" was ${before ? 'changed' : 'added'}`,
      ...(siteId !== null && { siteId }),
      changes: [addressLists.change(name, before ?? null, after)],
    });
  };
}

function removal({ addressLists }: AccessParts, id: string): ConfigurationWork<undefined> {
  return async (trx) => {
    const before = await addressLists.find(trx, id);
    if (!before) return failure('not_found');
    await addressLists.remove(trx, id);
    const { name, siteId } = before.value;
    return success({
      value: undefined,
      action: 'access.delete',
      reason: `The address list "${name}" was deleted`,
      ...(siteId !== undefined && { siteId }),
      changes: [addressLists.change(name, before, null)],
    });
  };
}

/** GET/POST /access/lists, PUT/DELETE /access/lists/{id}. */
export function accessRoutes(app: FastifyInstance, parts: AccessParts): void {
  const { storage, configuration, addressLists } = parts;
  const calls = endpoints.access;

  serve(app, calls.list, async () =>
    success((await addressLists.list(storage.read)).map(presentAddressList)),
  );

  serve(app, calls.create, ({ body, actor, ip }) => {
    const author = { email: actor.email, ip };
    return configuration.change(author, saving(parts, author, body));
  });

  serve(app, calls.update, ({ params, body, actor, ip }) => {
    const author = { email: actor.email, ip };
    return configuration.change(author, saving(parts, author, body, params.id));
  });

  serve(app, calls.remove, ({ params, actor, ip }) =>
    configuration.change({ email: actor.email, ip }, removal(parts, params.id)),
  );
}
