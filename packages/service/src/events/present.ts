import { type AuditEntry, actionOfDecision, type SecurityEvent } from '@portcullis/contract/events';

/** What kind of threat an event speaks of, in the words of the protection categories where it has one. */
function threatOf(event: SecurityEvent): string | undefined {
  if (event.category !== undefined) return event.category;
  if (event.kind === 'rate_limit') return 'rate_limiting';
  if (event.kind === 'custom_rule' || event.kind === 'address_list' || event.kind === 'protocol')
    return event.kind;
  return undefined;
}

/** A gateway's event as an entry of the security log. @param siteName undefined for a host of no site */
export function entryOfEvent(event: SecurityEvent, siteName: string | undefined): AuditEntry {
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
    ...(event.siteId !== undefined && { siteId: event.siteId }),
    ...(siteName !== undefined && { siteName }),
    ...(event.ruleId !== undefined && { ruleId: event.ruleId }),
    ...(threat !== undefined && { threat }),
    ...(event.score !== undefined && { score: event.score }),
  };
}
