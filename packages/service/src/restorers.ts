import type { Site } from '@portcullis/contract/sites';
import type { ObjectStore, Restorer, StoredObject } from './configuration/index.ts';
import { success } from './outcome.ts';
import { readSettings, type SettingsKey, writeSetting } from './settings/index.ts';
import { restoreSite, siteRemoved } from './sites/index.ts';
import type { StoredConfiguration } from './stored-configuration.ts';

const versionOf = (present: unknown) => (present as { version?: number } | null)?.version ?? 0;

/** Objects of one store, put back whole; parents first. */
function objects<T>(store: ObjectStore<T>): Restorer {
  return {
    kind: store.kind,
    read: async (trx, id) => (await store.find(trx, id)) ?? null,
    remove: (trx, id) => store.remove(trx, id),
    async put(trx, _id, state, present, author, now) {
      const stood = state as StoredObject<T>;
      const version = Math.max(stood.version, versionOf(present)) + 1;
      const object = { ...stood, version, updatedAt: now, updatedBy: author.email };
      await store.save(trx, object);
      return success(object);
    },
  };
}

/** How each kind of the configuration is put back, what others are a part of first. */
export function restorers({ sites, protection, addressLists }: StoredConfiguration): readonly Restorer[] {
  return [
    {
      kind: 'site',
      read: async (trx, id) => (await sites.find(trx, id))?.site ?? null,
      remove: siteRemoved,
      put: (trx, _id, state, present, author, now) =>
        restoreSite(trx, state as Site, versionOf(present), author, now),
    },
    objects(protection.rulesets),
    objects(protection.rules),
    objects(addressLists),
    {
      kind: 'settings',
      read: (trx, id) => readSettings(trx, id as SettingsKey),
      remove: async () => {},
      async put(trx, id, state, _present, _author, now) {
        await writeSetting(trx, id, JSON.stringify(state), now);
        return success(await readSettings(trx, id as SettingsKey));
      },
    },
  ];
}
