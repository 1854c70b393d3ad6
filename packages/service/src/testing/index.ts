export { openStream, type Reader, type Received } from './event-source.ts';
export {
  type Answer,
  adminEmail,
  adminPassword,
  batch,
  counters,
  securityEvent,
  startService,
  type TestService,
} from './service.ts';
