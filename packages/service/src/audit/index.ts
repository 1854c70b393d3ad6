export type { AdminAction, AdminRecord } from './admin-audit.ts';
export { firstBrokenLink } from './chain.ts';
export { type ChainState, type ChainWatch, createChainWatch } from './chain-watch.ts';
export { type AuditLog, createAuditLog } from './log.ts';
export { commandLineActor, createOutsideActions } from './outside.ts';
export { entryOfRecord } from './present.ts';
export { newestRecords, pageOfRecords } from './repository.ts';
