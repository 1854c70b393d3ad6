export { type TestDialect, type TestStorage, testDialects } from './dialects.ts';
