export { type Backup, backUp, type Restored, restoreBackup } from './backups/index.ts';
export { type CommandPlace, exportConfiguration, importConfiguration } from './configuration-commands.ts';
export { type HeardFleet, readFleet } from './fleet/index.ts';
export type { Log } from './log.ts';
export { checkStorage, type InstallationPlace, resetAdmin } from './maintenance.ts';
export {
  type End,
  type Moved,
  type MoveOptions,
  moveInstallation,
  nameOfEnd,
  parseEnd,
} from './moving/index.ts';
export type { ServiceOptions } from './options.ts';
export { type RuleTemplate, type TemplateExample, templates } from './protection/index.ts';
export { createService, type Service, type Started } from './service.ts';
export { StartError } from './start-error.ts';
export { sqliteFileName } from './storage/index.ts';
