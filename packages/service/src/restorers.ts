import type { Issue } from '@portcullis/contract/api';
import type { NotificationSettingsUpdate } from '@portcullis/contract/notifications';
import type { CustomRuleCreate } from '@portcullis/contract/protection';
import type { Site } from '@portcullis/contract/sites';
import type { ObjectStore, Restorer, StoredObject } from './configuration/index.ts';
import {
  changeSettings,
  movesKey,
  presentSettings,
  readNotificationSettings,
  writeNotificationSettings,
} from './notifications/index.ts';
import { type Failure, failure, success } from './outcome.ts';
import type { Sealer } from './sealing/index.ts';
import {
  acceptSettings,
  readSettings,
  type SettingsKey,
  settingsNames,
  settingVersion,
  writeSetting,
} from './settings/index.ts';
import { restoreSite, siteRemoved } from './sites/index.ts';
import type { Trx } from './storage/index.ts';
import type { StoredConfiguration } from './stored-configuration.ts';

const versionOf = (present: unknown) => (present as { version?: number } | null)?.version ?? 0;

/**
 * A refusal of what an earlier release let in: it would else come into force, and be found out about when the service
 * starts the next time.
 */
function outdated(name: string, refused: Failure): Failure {
  const [first] = refused.issues ?? [];
  const why = first ? ` (${first.path}: ${first.message})` : '';
  return { ...refused, message: `"${name}" cannot be as it stood then, by what is asked of it today${why}` };
}

/**
 * Objects of one store, put back whole; parents first. @param refuse what the schema cannot say
 */
function objects<T extends { readonly name: string }>(
  store: ObjectStore<T>,
  refuse: (value: T) => Failure | undefined = () => undefined,
): Restorer {
  return {
    kind: store.kind,
    read: async (trx, id) => (await store.find(trx, id)) ?? null,
    remove: (trx, id) => store.remove(trx, id),
    async put(trx, _id, state, present, author, now) {
      const stood = state as StoredObject<T>;
      const accepted = await store.accept(stood.value);
      if (!accepted.ok) return outdated(stood.value.name, accepted);
      const refused = refuse(accepted.value);
      if (refused) return outdated(stood.value.name, refused);
      const version = Math.max(stood.version, versionOf(present)) + 1;
      const object = { ...stood, value: accepted.value, version, updatedAt: now, updatedBy: author.email };
      await store.save(trx, object);
      return success(object);
    },
  };
}

/** Settings are never taken out: what was never stored reads as its defaults. */
function settings(sealer: Sealer): Restorer {
  const read = async (trx: Trx, id: string) =>
    id === 'notifications'
      ? presentSettings(await readNotificationSettings(trx, sealer))
      : readSettings(trx, id as SettingsKey);
  return {
    kind: 'settings',
    read,
    remove: async () => {},
    async put(trx, id, state, _present, _author, now) {
      const version = Math.max(now, (await settingVersion(trx, id)) + 1);
      if (id === 'notifications') {
        // A secret that the state does not bring stays as it is stored, unless the state had none.
        const stored = await readNotificationSettings(trx, sealer);
        const stood = state as NotificationSettingsUpdate;
        // Today's key is not for the server of those days: it has to be entered again.
        const moved = movesKey(stored, stood) && { email: { ...stood.email, key: '', keySet: false } };
        const changed = changeSettings(stored, { ...stood, ...moved });
        if (!changed.ok) return changed;
        await writeNotificationSettings(trx, sealer, changed.value, version);
      } else {
        const accepted = acceptSettings(id as SettingsKey, state);
        if (!accepted.ok) return outdated(settingsNames[id as SettingsKey], accepted);
        await writeSetting(trx, id, JSON.stringify(accepted.value), version);
      }
      return success({ ...(await read(trx, id)), version });
    },
  };
}

/** What restorers work on. */
export type RestorerParts = StoredConfiguration & {
  readonly sealer: Sealer;
  /** what of a rule the engine cannot run */
  checkRule(rule: CustomRuleCreate): readonly Issue[];
};

/** How each kind of the configuration is put back, what others are a part of first. */
export function restorers(parts: RestorerParts): readonly Restorer[] {
  const { sites, protection, addressLists, certificates, challenges, sealer } = parts;
  const refuseRule = (rule: CustomRuleCreate) => {
    const issues = parts.checkRule(rule);
    return issues.length > 0 ? failure('unsafe_pattern', { issues }) : undefined;
  };
  return [
    {
      kind: 'site',
      read: async (trx, id) => (await sites.find(trx, id))?.site ?? null,
      remove: siteRemoved,
      async forget(trx, id) {
        for (const one of await certificates.list(trx, id)) await certificates.remove(trx, one.id);
        for (const one of await challenges.list(trx, id)) await challenges.remove(trx, one.id);
      },
      async put(trx, _id, state, present, author, now) {
        const site = state as Site;
        const put = await restoreSite(trx, site, versionOf(present), author, now);
        return put.ok || put.code !== 'validation_failed' ? put : outdated(site.name, put);
      },
    },
    objects(protection.rulesets),
    objects(protection.rules, refuseRule),
    objects(addressLists),
    settings(sealer),
  ];
}
