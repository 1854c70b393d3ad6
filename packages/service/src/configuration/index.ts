export type { Author, Change, ConfigurationWork, EntityChange } from './change.ts';
export { type Configuration, createConfiguration, type SnapshotParts } from './configuration.ts';
