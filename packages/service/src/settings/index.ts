export { readSetting, readSettings, type SettingsKey, type SettingsOf, writeSetting } from './repository.ts';
