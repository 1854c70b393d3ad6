export * from './acme-server.ts';
export * from './certificate.ts';
export { openStream, type Reader, type Received } from './event-source.ts';
export { gatewayReport } from './gateway-report.ts';
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
