export { acceptSettings } from './changes.ts';
export {
  insertSetting,
  readSetting,
  readSettings,
  type SettingsKey,
  type SettingsOf,
  settingVersion,
  writeSetting,
} from './repository.ts';
export { type SettingsParts, settingsRoutes } from './routes.ts';
export { changedFields, securityIssues, settingsNames } from './settings.ts';
export { settingsVersions } from './versioned.ts';
