import type { AddressListCreate, AddressListUpdate } from '@portcullis/contract/access';
import { endpoints } from '@portcullis/contract/api';
import type { FastifyInstance } from 'fastify';
import {
  type Author,
  type Configuration,
  type ConfigurationWork,
  newObject,
  nextVersion,
  type ObjectStore,
  type StoredObject,
  staleVersion,
} from '../configuration/index.ts';
import { serve, serveStream, serveText } from '../http/index.ts';
import { newId } from '../identity.ts';
import { failure, invalid, success } from '../outcome.ts';
import type { SiteRepository } from '../sites/index.ts';
import type { Storage } from '../storage/index.ts';
import { entriesReader } from './entries.ts';
import { listAt, listsIssues, notEnded, presentAddressList } from './lists.ts';

/** Lines of one piece of an answer. */
const linesAtOnce = 5000;

export interface AccessParts {
  readonly storage: Storage;
  readonly configuration: Configuration;
  readonly addressLists: ObjectStore<AddressListCreate>;
  readonly sites: SiteRepository;
  readonly now: () => number;
}

/** What is to be saved of a list: as it was sent, or the stored one with other entries. */
type Wanted = (stored: StoredObject<AddressListCreate> | undefined) => AddressListCreate | undefined;

const asSent =
  ({ version: _version, ...sent }: AddressListUpdate): Wanted =>
  (stored) => ({
    ...sent,
    entries: sent.entries ? [...new Set(sent.entries)] : (stored?.value.entries ?? []),
    temporary: sent.temporary ?? stored?.value.temporary ?? [],
  });

/** @param entries without repetition */
const withEntries =
  (entries: string[]): Wanted =>
  (stored) =>
    stored && { ...stored.value, entries };

/** @param id of the list to replace; absent adds one */
function saving(
  { addressLists, sites }: AccessParts,
  author: Author,
  wanted: Wanted,
  { id, version }: { readonly id?: string; readonly version?: number | undefined } = {},
): ConfigurationWork<StoredObject<AddressListCreate>> {
  return async (trx, now) => {
    const stored = (await addressLists.list(trx)).map((list) => listAt(list, now));
    const before = stored.find((list) => list.id === id);
    const sent = wanted(before);
    if (!sent || (id !== undefined && !before)) return failure('not_found');
    const value = { ...sent, temporary: notEnded(sent.temporary, now) };
    const { siteId = null, name } = value;
    const stale = before && (await staleVersion(trx, { ...before, kind: addressLists.kind }, version));
    if (stale) return stale;
    if (siteId !== null && !(await sites.find(trx, siteId))) {
      return invalid([{ path: 'siteId', message: 'There is no such site' }]);
    }
    const others = stored.filter((list) => list.id !== id).map((list) => list.value);
    const tooMany = listsIssues([...others, value]);
    if (tooMany.length > 0) return invalid(tooMany);
    const after = before
      ? { ...nextVersion(before, value, author, now), parentId: siteId }
      : newObject(newId('list'), siteId, value, author, now);
    const same = before !== undefined && (await addressLists.holds(before, value));
    if (!same) await addressLists.save(trx, after);
    return success({
      value: same ? before : after,
      same,
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

async function* linesOf(entries: readonly string[]): AsyncIterable<string> {
  for (let from = 0; from < entries.length; from += linesAtOnce) {
    yield `${entries.slice(from, from + linesAtOnce).join('\n')}\n`;
  }
}

/** GET/PUT /access/lists/{id}/entries: the entries alone, as the text that feeds of addresses are. */
function entryRoutes(app: FastifyInstance, parts: AccessParts): void {
  const { storage, configuration, addressLists } = parts;

  serveStream(app, endpoints.access.entries, async ({ params }) => {
    const found = await addressLists.find(storage.read, params.id);
    if (!found) return failure('not_found');
    const type = 'text/plain; charset=utf-8';
    return success({ type, filename: `${found.id}.txt`, text: linesOf(found.value.entries) });
  });

  serveText(app, endpoints.access.replaceEntries, entriesReader, async (call, entries) => {
    const author = { email: call.actor.email, ip: call.ip };
    const place = { id: call.params.id, version: call.query.version };
    const saved = await configuration.change(author, saving(parts, author, withEntries(entries), place));
    if (!saved.ok) return saved;
    const { id, version, value, updatedAt } = saved.value;
    const updated_at = new Date(updatedAt).toISOString();
    return success({ id, version, entry_count: value.entries.length, updated_at });
  });
}

/** GET/POST /access/lists, PUT/DELETE /access/lists/{id}, and entries as text. */
export function accessRoutes(app: FastifyInstance, parts: AccessParts): void {
  const { storage, configuration, addressLists, now } = parts;
  const calls = endpoints.access;
  const save = async (
    ...[author, wanted, place]: [Author, Wanted, { id: string; version?: number | undefined }?]
  ) => {
    const saved = await configuration.change(author, saving(parts, author, wanted, place));
    return saved.ok ? success(presentAddressList(listAt(saved.value, now()))) : saved;
  };

  serve(app, calls.list, async ({ query }) => {
    const stored = await addressLists.list(storage.read);
    const lists = stored.map((list) => presentAddressList(listAt(list, now())));
    return success(query.entries === 'all' ? lists : lists.map((list) => ({ ...list, entries: [] })));
  });

  serve(app, calls.create, ({ body, actor, ip }) => save({ email: actor.email, ip }, asSent(body)));

  serve(app, calls.update, ({ params, body, actor, ip }) =>
    save({ email: actor.email, ip }, asSent(body), { id: params.id, version: body.version }),
  );

  serve(app, calls.remove, ({ params, actor, ip }) =>
    configuration.change({ email: actor.email, ip }, removal(parts, params.id)),
  );

  entryRoutes(app, parts);
}
