import { type AuditEntry, actionOfDecision, type SecurityEvent } from '@portcullis/contract/events';

/** What kind of threat an event speaks of, in the words of the protection categories where it has one. */
function threatOf(event: SecurityEvent): string | undefined {
  if (event.decision === 'allow') return undefined;
  if (event.category !== undefined) return event.category;
  if (event.kind === 'rate_limit') return 'rate_limiting';
  if (event.kind === 'custom_rule' || event.kind === 'address_list' || event.kind === 'protocol')
    return event.kind;
  return undefined;
}

/** What an entry says beyond its event. */
export interface EntryContext {
  /** @returns the name of a site of the present configuration */
  siteName(siteId: string): string | undefined;
  /** @returns ISO 3166-1 alpha-2 code; undefined where nobody knows */
  countryOf(address: string): string | undefined;
}

/** A gateway's event as an entry of the security log. */
export function entryOfEvent(event: SecurityEvent, context: EntryContext): AuditEntry {
  const siteName = event.siteId === undefined ? undefined : context.siteName(event.siteId);
  const country = context.countryOf(event.clientIp);
  const threat = threatOf(event);
  return {
    id: event.id,
    timestamp: new Date(event.time).toISOString(),
    level: event.level,
    action: actionOfDecision[event.decision],
    message: event.message,
    method: event.method,
    path: event.path,
    host: event.host,
    statusCode: event.status,
    clientIP: event.clientIp,
    userAgent: event.userAgent,
    kind: event.kind,
    ruleType: event.category ?? event.kind,
    decision: event.decision,
    requestId: event.requestId,
    count: event.count,
    matches: event.matches,
    ...(event.would !== undefined && { would: event.would }),
    ...(event.siteId !== undefined && { siteId: event.siteId }),
    ...(siteName !== undefined && { siteName }),
    ...(country !== undefined && { country }),
    ...(event.ruleId !== undefined && { ruleId: event.ruleId }),
    ...(threat !== undefined && { threat }),
    ...(event.score !== undefined && { score: event.score }),
    ...(event.reached !== undefined && { reached: event.reached }),
  };
}
