export { postgresDialect, type TestDialect, type TestStorage, testDialects } from './dialects.ts';
export { freePort } from './free-port.ts';
export { type PostgresServer, postgresMissing, startPostgres } from './postgres-server.ts';
export { mountReadOnly, mountSmall } from './small-disk.ts';
