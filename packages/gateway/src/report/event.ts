import { randomUUID } from 'node:crypto';
import type { SecurityEvent } from '@portcullis/contract/events';
import type { Exchange } from '../exchange/index.ts';
import { maskMatch, maskTarget } from './mask.ts';

/** What is told of a decision beyond what the exchange itself knows. */
export type Finding = Pick<SecurityEvent, 'kind' | 'level' | 'decision' | 'message'> &
  Partial<Pick<SecurityEvent, 'category' | 'ruleId' | 'score' | 'reached' | 'matches' | 'decisionMicros'>>;

/** @returns the event of an exchange, cut to the contract's bounds and with secrets masked */
export function eventOf(
  gatewayId: string,
  exchange: Exchange,
  status: number,
  finding: Finding,
): SecurityEvent {
  return {
    ...finding,
    id: randomUUID(),
    requestId: exchange.id,
    time: exchange.time,
    gatewayId,
    ...(exchange.siteId === undefined ? {} : { siteId: exchange.siteId }),
    method: exchange.method.slice(0, 64),
    host: (exchange.host || exchange.head.host || '').slice(0, 256),
    path: maskTarget(exchange.target.slice(0, 4096)).slice(0, 2048),
    status,
    clientIp: exchange.clientIp.slice(0, 64),
    userAgent: (exchange.head.userAgent ?? '').slice(0, 512),
    message: finding.message.slice(0, 1024),
    matches: (finding.matches ?? []).slice(0, 32).map(maskMatch),
    count: 1,
  };
}
