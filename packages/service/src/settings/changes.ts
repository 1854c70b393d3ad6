import type { Issue } from '@portcullis/contract/api';
import { inWords } from '@portcullis/contract/configuration';
import { applyPatch } from '@portcullis/contract/patch';
import {
  GeneralSettings,
  type GeneralSettingsAnswer,
  type GeneralSettingsUpdate,
  SecuritySettings,
  type SecuritySettingsAnswer,
  type SecuritySettingsUpdate,
} from '@portcullis/contract/settings';
import type { ConfigurationWork } from '../configuration/index.ts';
import { issuesOf } from '../http/index.ts';
import { invalid, type Outcome, success } from '../outcome.ts';
import {
  readSettings,
  type SettingsKey,
  type SettingsOf,
  settingsSchemas,
  writeSetting,
} from './repository.ts';
import { changedFields, securityIssues, settingsNames } from './settings.ts';
import { settingsVersions } from './versioned.ts';

/** @param versions of both */
function told<K extends SettingsKey>(
  key: K,
  before: SettingsOf<K>,
  after: SettingsOf<K>,
  versions: { readonly present: number; readonly next: number },
) {
  const fields = changedFields(before, after);
  const same = fields.length === 0;
  const changed = { ...after, version: versions.next };
  return success({
    value: same ? { ...before, version: versions.present } : changed,
    action: `settings.${key}` as const,
    reason: `${settingsNames[key]} were saved: ${inWords(fields)}`,
    same,
    changes: [{ kind: 'settings', id: key, name: settingsNames[key], before, after: changed }],
  });
}

/** Lays a change over the general settings; what it leaves out keeps its value. */
export function generalChange(patch: GeneralSettingsUpdate): ConfigurationWork<GeneralSettingsAnswer> {
  return async (trx, now) => {
    const versions = await settingsVersions(trx, 'general', patch.version, now);
    if (!versions.ok) return versions;
    const before = await readSettings(trx, 'general');
    const parsed = applyPatch(GeneralSettings, before, patch);
    if (!parsed.success) return invalid(issuesOf(parsed.error));
    await writeSetting(trx, 'general', JSON.stringify(parsed.data), versions.next);
    return told('general', before, parsed.data, versions);
  };
}

/** Lays a change over the security settings; what it leaves out keeps its value. */
export function securityChange(patch: SecuritySettingsUpdate): ConfigurationWork<SecuritySettingsAnswer> {
  return async (trx, now) => {
    const versions = await settingsVersions(trx, 'security', patch.version, now);
    if (!versions.ok) return versions;
    const before = await readSettings(trx, 'security');
    const parsed = applyPatch(SecuritySettings, before, patch);
    const issues: readonly Issue[] = parsed.success ? securityIssues(parsed.data) : issuesOf(parsed.error);
    if (!parsed.success || issues.length > 0) return invalid(issues);
    await writeSetting(trx, 'security', JSON.stringify(parsed.data), versions.next);
    return told('security', before, parsed.data, versions);
  };
}

/**
 * @param value as an earlier release may have kept it
 * @returns it as this one does: fields that were learnt since have their defaults. Or all that is wrong with it today
 */
export function acceptSettings<K extends SettingsKey>(key: K, value: unknown): Outcome<SettingsOf<K>> {
  const parsed = settingsSchemas[key].safeParse(value);
  if (!parsed.success) return invalid(issuesOf(parsed.error));
  const issues = key === 'security' ? securityIssues(SecuritySettings.parse(parsed.data)) : [];
  return issues.length > 0 ? invalid(issues) : success(parsed.data as SettingsOf<K>);
}
