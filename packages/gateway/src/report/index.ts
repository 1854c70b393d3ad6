export { AccessLog } from './access-log.ts';
export { SiteCounters } from './counters.ts';
export { type Finding, notCarriedOut } from './event.ts';
export { EventLines } from './event-lines.ts';
export { maskTarget } from './mask.ts';
export { Outbox } from './outbox.ts';
export { type GatewayState, Reporter } from './reporter.ts';
export { Spool } from './spool.ts';
