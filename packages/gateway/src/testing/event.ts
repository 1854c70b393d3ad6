import type { SecurityEvent } from '@portcullis/contract/events';

/** A block as a gateway tells it, with whatever a test changes. */
export function securityEvent(fields: Partial<SecurityEvent> = {}): SecurityEvent {
  return {
    id: 'event',
    requestId: 'request',
    time: 1_800_000_000_000,
    gatewayId: 'worker-1',
    kind: 'detection',
    level: 'error',
    decision: 'block',
    method: 'GET',
    host: 'shop.example.com',
    path: '/',
    status: 403,
    clientIp: '192.0.2.1',
    userAgent: '',
    message: 'Blocked',
    matches: [],
    count: 1,
    ...fields,
  };
}
