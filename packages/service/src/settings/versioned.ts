import { staleVersion } from '../configuration/index.ts';
import type { Failure } from '../outcome.ts';
import type { Trx } from '../storage/index.ts';
import { settingVersion } from './repository.ts';
import type { settingsNames } from './settings.ts';

/** The version that settings have and the next one, or why a client's is stale. */
export type SettingsVersions =
  | { readonly ok: true; readonly present: number; readonly next: number }
  | Failure;

/** @param sent the version that the client changed; absent: the client does not mind */
export async function settingsVersions(
  trx: Trx,
  id: keyof typeof settingsNames,
  sent: number | undefined,
  now: number,
): Promise<SettingsVersions> {
  const present = await settingVersion(trx, id);
  const stale = await staleVersion(trx, { kind: 'settings', id, version: present, updatedAt: present }, sent);
  // Two saves within a millisecond, or after a clock that went back, are two versions.
  return stale ?? { ok: true, present, next: Math.max(now, present + 1) };
}
