export * from './batch.ts';
export * from './peers.ts';
export * from './ports.ts';
export * from './secrets.ts';
export * from './service-report.ts';
export * from './shared-limits.ts';
export * from './snapshot.ts';
export * from './version.ts';
