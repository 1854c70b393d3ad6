import { GeneralSettings, SecuritySettings } from '@portcullis/contract/settings';
import type { z } from 'zod';
import type { Db, Trx } from '../storage/index.ts';

/** The settings that are stored as one JSON object each, by the key of their row. */
export const settingsSchemas = { general: GeneralSettings, security: SecuritySettings } as const;
export type SettingsKey = keyof typeof settingsSchemas;

/** What a key holds, with the default for every field that was never stored. */
export type SettingsOf<K extends SettingsKey> = z.output<(typeof settingsSchemas)[K]>;

/** @returns the stored text of any key, JSON or sealed; undefined where nothing was stored */
export async function readSetting(db: Db | Trx, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}

/** @returns what rises with each save of a key, 0 before the first: the Unix milliseconds that it was stored at */
export async function settingVersion(db: Db | Trx, key: string): Promise<number> {
  const row = await db.selectFrom('settings').select('updated_at').where('key', '=', key).executeTakeFirst();
  return row?.updated_at ?? 0;
}

/** Stores the text of a key in place of what was there. @param now higher than the key's {@link settingVersion} */
export async function writeSetting(db: Db | Trx, key: string, value: string, now: number): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key, value, updated_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: now }))
    .execute();
}

/**
 * Stores the text of a key where nothing is stored yet. Several services may start on an empty database at once.
 * @returns what is stored now: the text, or the one that was there first
 */
export async function insertSetting(db: Db, key: string, value: string, now: number): Promise<string> {
  await db
    .insertInto('settings')
    .values({ key, value, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readSetting(db, key)) ?? value;
}

/** As {@link readSettings}, with their version, which is of no later moment. */
export async function readVersioned<K extends SettingsKey>(db: Db | Trx, key: K) {
  const version = await settingVersion(db, key);
  return { ...(await readSettings(db, key)), version };
}

/** Reads one object of settings; defaults fill what an older version did not know. */
export async function readSettings<K extends SettingsKey>(db: Db | Trx, key: K): Promise<SettingsOf<K>> {
  const stored = await readSetting(db, key);
  return settingsSchemas[key].parse(stored === undefined ? {} : JSON.parse(stored)) as SettingsOf<K>;
}
