export { type Reading, readEnvironment } from './read.ts';
export type { Settings } from './schema.ts';
