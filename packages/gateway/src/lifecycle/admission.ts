import type { SharedLimits } from '@portcullis/contract/link';
import { corsHeaders, isPreflight, preflightHeaders } from '../cors/index.ts';
import { type Exchange, respond } from '../exchange/index.ts';
import { ConcurrencyGate, isAssetAnswer, type LimitVerdict } from '../limits/index.ts';
import { pages } from '../pages/index.ts';
import { type Finding, notCarriedOut } from '../report/index.ts';
import type { ServedSite } from '../sites/index.ts';
import { BanDesk } from './ban-desk.ts';
import type { Refusal, Stage } from './stage.ts';

/** What is decided of a request before anyone looks into it. */
export type Admission =
  | { readonly kind: 'admitted' }
  /** an allow-listed client passes all later checks by */
  | { readonly kind: 'exempt' }
  | { readonly kind: 'answered' }
  /** a limit of mode `challenge` is used up */
  | { readonly kind: 'challenged'; readonly finding: Finding }
  | Refusal;

const admitted: Admission = { kind: 'admitted' };
const exempt: Admission = { kind: 'exempt' };
const answered: Admission = { kind: 'answered' };
const maintenance: Admission = {
  kind: 'refused',
  page: pages.maintenance,
  headers: ['Retry-After', '120'],
};

/**
 * The first half of the order of decision: maintenance → allow-listed → blocked → CORS preflight → limits. Maintenance of
 * one site lets allow-listed addresses by, so that its operator can look at it.
 */
export class Admitter {
  readonly bans: BanDesk;
  readonly #underWay = new ConcurrencyGate();
  readonly #shared: SharedLimits | undefined;

  /** @param shared absent where a gateway counts for itself */
  constructor(shared: SharedLimits | undefined) {
    this.#shared = shared;
    this.bans = new BanDesk(shared);
  }

  /** @param notice called with what is to be recorded although the request goes on */
  admit(stage: Stage, notice: (finding: Finding) => void): Admission | Promise<Admission> {
    const { exchange, site, configuration, client } = stage;
    const { client: key } = exchange;
    const { general, security } = configuration.snapshot;
    if (general.maintenanceMode) return maintenance;
    const listed = configuration.access.decide(site.id, client, exchange.time);
    if (site.maintenance && listed?.action !== 'allow') return maintenance;
    if (listed?.action === 'block') {
      return refused('address_list', listed.listId, `the address is on the list '${listed.listName}'`);
    }
    if (listed === undefined && security.blockSuspiciousIPs) {
      const until = this.bans.keepsOut(key, exchange.startedAt);
      if (until !== undefined) {
        const refusal = refusedByBan(until, exchange.startedAt);
        if (!site.watchOnly) return refusal;
        notice(notCarriedOut(refusal.finding));
      }
    }
    if (answerPreflight(exchange, site)) return answered;
    return listed ? exempt : this.#limit(stage, key, notice);
  }

  #limit(stage: Stage, key: string, notice: (finding: Finding) => void): Admission | Promise<Admission> {
    const { exchange, site, configuration } = stage;
    const { maxConcurrentPerClient } = configuration.snapshot.security;
    if (!this.#underWay.enter(key, maxConcurrentPerClient)) {
      const message = `${maxConcurrentPerClient} requests of this client are under way`;
      return {
        ...refused('rate_limit', 'concurrent', message, pages.rateLimited),
        headers: ['Retry-After', '1'],
      };
    }
    exchange.atEnd(() => this.#underWay.leave(key));
    const { limits } = site;
    if (limits === undefined) return admitted;
    const { method, target } = exchange;
    const header = (name: string) => exchange.header(name);
    const request = { client: key, method, target, header };
    const conclude = (verdict: LimitVerdict) => {
      if (verdict.free) watchAnswer(exchange, () => limits.wasNoFile(key, exchange.startedAt));
      return byLimits(stage, verdict, notice);
    };
    if (!this.#shared?.available) return conclude(limits.take(request, exchange.startedAt));
    const verdict = limits.takeShared(request, exchange.startedAt, this.#shared);
    return verdict instanceof Promise ? verdict.then(conclude) : conclude(verdict);
  }
}

/** What was asked for as a static file shows by the answer's type whether it was one. */
function watchAnswer(exchange: Exchange, wasNoFile: () => void): void {
  exchange.keepsType = true;
  exchange.atEnd(() => {
    const { status, answeredType, target, upstream } = exchange;
    // Who leaves before the answer has had the upstream work all the same.
    const cost = status !== 0 || upstream !== undefined;
    if (cost && !isAssetAnswer(status, answeredType, target)) wasNoFile();
  });
}

/** What follows of what the limits say. @param notice told what is recorded although the request goes on */
function byLimits(
  { exchange, site }: Stage,
  verdict: LimitVerdict,
  notice: (finding: Finding) => void,
): Admission {
  // Who reads there that nothing is left holds back.
  if (verdict.headers.length > 0 && !site.watchOnly) exchange.extraHeaders.push(...verdict.headers);
  const { exceeded } = verdict;
  if (exceeded === undefined) return admitted;
  const refusal = refused('rate_limit', exceeded.bucket, 'the rate limit is used up', pages.rateLimited);
  if (site.watchOnly && exceeded.mode === 'block') {
    notice(notCarriedOut(refusal.finding));
    return admitted;
  }
  if (exceeded.mode === 'block') {
    return { ...refusal, headers: ['Retry-After', String(exceeded.retryAfterSeconds)] };
  }
  const finding = {
    ...refusal.finding,
    level: 'info',
    message: 'Noticed: the rate limit is used up',
  } as const;
  if (exceeded.mode === 'challenge')
    return { kind: 'challenged', finding: { ...finding, decision: 'challenge' } };
  notice({ ...finding, decision: 'log' });
  return admitted;
}

/** @returns true where the gateway has answered a preflight itself */
function answerPreflight(exchange: Exchange, { cors }: ServedSite): boolean {
  if (cors === undefined) return false;
  exchange.extraHeaders.push(...corsHeaders(cors, exchange.head.origin));
  if (!isPreflight(exchange)) return false;
  respond(exchange, 204, preflightHeaders(cors), '');
  return true;
}

type Refused = Refusal & { readonly finding: Finding };

function refused(
  kind: 'address_list' | 'rate_limit',
  ruleId: string,
  why: string,
  page: Refusal['page'] = pages.addressBlocked,
): Refused {
  const message = `Blocked: ${why}`;
  const category = kind === 'rate_limit' ? { category: 'rate_limiting' as const } : {};
  const finding = { kind, level: 'warning', decision: 'block', ruleId, message, ...category } as const;
  return { kind: 'refused', page, finding };
}

function refusedByBan(until: number, now: number): Refused {
  const refusal = refused('address_list', 'ban', 'the address is banned for a while after repeated blocks');
  return { ...refusal, headers: ['Retry-After', String(Math.ceil((until - now) / 1000))] };
}
