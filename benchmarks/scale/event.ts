import type { SecurityEvent } from '../../packages/contract/src/events/index.ts';
import { securityEvent } from '../../packages/service/src/testing/index.ts';

/** A block as the gateway of one sender tells of it. */
export const eventOf = (id: string, sender: number): SecurityEvent =>
  securityEvent({
    id,
    requestId: id,
    gatewayId: `s${sender}`,
    siteId: `site_${sender}`,
    path: '/products/42?id=1%20union%20select',
    clientIp: `203.0.113.${id.length % 256}`,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
  });
