import { randomUUID } from 'node:crypto';
import type { SecurityEvent } from '@portcullis/contract/events';
import type { Exchange } from '../exchange/index.ts';
import { maskMatch, maskTarget } from './mask.ts';

/** What is told of a decision beyond what the exchange itself knows. */
export type Finding = Pick<SecurityEvent, 'kind' | 'level' | 'decision' | 'message'> &
  Partial<
    Pick<SecurityEvent, 'category' | 'would' | 'ruleId' | 'score' | 'reached' | 'matches' | 'decisionMicros'>
  >;

const acts = /\b(?:blocked|challenged|redirected|withheld)\b/i;

/** What is told of a decision that a site which is only watched does not carry out. */
export function notCarriedOut(finding: Finding): Finding {
  const { decision, message } = finding;
  if (decision === 'log' || decision === 'pass' || decision === 'allow') return finding;
  // Our own verb is the first one; what an attacker wrote stands behind it.
  const told = message.replace(acts, (verb) => {
    const would = /^[A-Z]/.test(verb) ? 'Would' : 'would';
    return `${would} have been ${verb.toLowerCase()}`;
  });
  return { ...finding, level: 'info', decision: 'log', would: decision, message: told };
}

/** @returns the name that a client asked for, as far as it is read; empty where it gave none */
export const hostOf = ({ host, head }: Exchange) => (host || head.host || '').slice(0, 256);

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
    host: hostOf(exchange),
    path: maskTarget(exchange.target.slice(0, 4096)).slice(0, 2048),
    status,
    clientIp: exchange.clientIp.slice(0, 64),
    userAgent: (exchange.head.userAgent ?? '').slice(0, 512),
    message: finding.message.slice(0, 1024),
    matches: (finding.matches ?? []).slice(0, 32).map(maskMatch),
    count: 1,
  };
}
