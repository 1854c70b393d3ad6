export type { AdminAction, AdminRecord } from './admin-audit.ts';
export { type AuditLog, createAuditLog } from './log.ts';
export { commandLineActor, createOutsideActions } from './outside.ts';
export { entryOfRecord } from './present.ts';
export { firstBrokenLink, newestRecords } from './repository.ts';
