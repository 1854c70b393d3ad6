import type { SecurityEvent } from '../../packages/contract/src/events/index.ts';

/** A block as a gateway tells of it. */
export function eventOf(id: string, sender: number): SecurityEvent {
  return {
    id,
    requestId: id,
    time: Date.now(),
    gatewayId: `s${sender}`,
    kind: 'detection',
    level: 'error',
    decision: 'block',
    siteId: `site_${sender}`,
    method: 'GET',
    host: 'shop.example.com',
    path: '/products/42?id=1%20union%20select',
    status: 403,
    clientIp: `203.0.113.${id.length % 256}`,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    category: 'sql_injection',
    ruleId: 'sqli-union',
    message: 'Blocked: SQL injection in query parameter id',
    score: 5,
    matches: [],
    count: 1,
  };
}
