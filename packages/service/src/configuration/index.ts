export type { Author, Change, ConfigurationWork, EntityChange } from './change.ts';
export { type Configuration, createConfiguration, type SnapshotParts } from './configuration.ts';
export { staleVersion } from './conflict.ts';
export { type EntityState, presentDifference } from './history.ts';
export { newObject, nextVersion, ObjectStore, type StoredObject } from './objects.ts';
export { storedVersion } from './repository.ts';
export { bringTo, type Restorer } from './restore.ts';
export { configurationRoutes } from './routes.ts';
