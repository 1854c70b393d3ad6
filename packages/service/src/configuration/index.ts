export type { Author, Change, ConfigurationWork, EntityChange } from './change.ts';
export { type Configuration, createConfiguration, type SnapshotParts } from './configuration.ts';
export { staleVersion } from './conflict.ts';
export { newObject, nextVersion, ObjectStore, type StoredObject } from './objects.ts';
export type { Restorer } from './restore.ts';
export { configurationRoutes } from './routes.ts';
