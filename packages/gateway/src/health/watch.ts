import type { LookupFunction } from 'node:net';
import type { GatewayReport } from '@portcullis/contract/link';
import { HealthChecker, type HealthPlan } from './checker.ts';
import { Gate } from './gate.ts';

/** A verdict that turned. */
export interface HealthChange {
  readonly siteId: string;
  readonly origin: string;
  readonly healthy: boolean;
  readonly reason: string | undefined;
}

/** What a report says of upstreams. */
export type ToldHealth = Pick<GatewayReport, 'upstreams' | 'upstreamsOf'>;

/** Checks that each report tells of, all of them; of more it tells what is new, and the rest in turns. */
const toldAtOnce = 500;
/** Reports within which each site was told of, so that who begins to listen soon knows all. */
const reportsForAll = 10;

export interface HealthWatchOptions {
  /** resolves the names of upstreams */
  readonly lookup: LookupFunction;
  readonly onChange: (change: HealthChange) => void;
}

/** The health checks of all sites; a reload leaves those alone whose plan did not change. */
export class HealthWatch {
  readonly #checkers = new Map<string, HealthChecker>();
  readonly #sites = new Map<string, Set<HealthChecker>>();
  readonly #gate = new Gate();
  readonly #options: HealthWatchOptions;
  /** sites to tell of next */
  readonly #news = new Set<string>();
  /** where the turn of those without news is */
  #turn: MapIterator<string> = this.#sites.keys();

  constructor(options: HealthWatchOptions) {
    this.#options = options;
  }

  /** @param wanted by {@link healthKeyOf}; what is left out is no longer checked */
  update(wanted: ReadonlyMap<string, HealthPlan>): void {
    for (const [key, checker] of this.#checkers) {
      const plan = wanted.get(key);
      if (plan && isSame(plan, checker.plan)) continue;
      checker.stop();
      this.#checkers.delete(key);
      this.#leave(checker);
    }
    for (const [key, plan] of wanted) {
      if (this.#checkers.has(key)) continue;
      const checker = new HealthChecker(plan, {
        gate: this.#gate,
        lookup: this.#options.lookup,
        onNews: (turned) => this.#note(checker, turned),
      });
      this.#checkers.set(key, checker);
      this.#join(checker);
      checker.start();
    }
  }

  /** @returns what checks say of a site's upstream; true where there are none, or none has come back */
  isHealthy(siteId: string, origin: string): boolean {
    return this.#checkers.get(healthKeyOf({ siteId, origin }))?.health.healthy ?? true;
  }

  stop(): void {
    for (const checker of this.#checkers.values()) checker.stop();
    this.#checkers.clear();
    this.#sites.clear();
  }

  /** @returns what to say in the next report: to be called once for each */
  report(): ToldHealth {
    const news = [...this.#news];
    this.#news.clear();
    if (this.#checkers.size <= toldAtOnce) return { upstreams: [...this.#checkers.values()].map(told) };
    const upstreamsOf = new Set(news);
    for (let left = Math.ceil(this.#sites.size / reportsForAll); left > 0; left -= 1)
      upstreamsOf.add(this.#nextInTurn());
    const checkers = [...upstreamsOf].flatMap((siteId) => [...(this.#sites.get(siteId) ?? [])]);
    return { upstreams: checkers.map(told), upstreamsOf: [...upstreamsOf] };
  }

  /** There must be one. */
  #nextInTurn(): string {
    let next = this.#turn.next();
    if (next.done) {
      this.#turn = this.#sites.keys();
      next = this.#turn.next();
    }
    return next.value ?? '';
  }

  #note({ plan, health }: HealthChecker, turned: boolean): void {
    const { siteId, origin } = plan;
    this.#news.add(siteId);
    if (turned) this.#options.onChange({ siteId, origin, healthy: health.healthy, reason: health.reason });
  }

  #join(checker: HealthChecker): void {
    const { siteId } = checker.plan;
    const site = this.#sites.get(siteId) ?? new Set<HealthChecker>();
    this.#sites.set(siteId, site.add(checker));
  }

  #leave(checker: HealthChecker): void {
    const { siteId } = checker.plan;
    const site = this.#sites.get(siteId);
    site?.delete(checker);
    if (site?.size === 0) this.#sites.delete(siteId);
    this.#news.add(siteId);
  }
}

/** Field by field: of ten thousand plans a comparison of any two objects would hold requests up. */
const isSame = (a: HealthPlan, b: HealthPlan): boolean =>
  a === b ||
  (a.siteId === b.siteId &&
    a.origin === b.origin &&
    a.host === b.host &&
    a.path === b.path &&
    a.intervalMs === b.intervalMs &&
    a.timeoutMs === b.timeoutMs &&
    a.verifyTls === b.verifyTls &&
    a.ca === b.ca);

const told = ({ plan, health }: HealthChecker): GatewayReport['upstreams'][number] => ({
  siteId: plan.siteId,
  url: plan.origin,
  ...health,
});

/** @returns what one check is known by: a site's look at an upstream */
export const healthKeyOf = ({ siteId, origin }: Pick<HealthPlan, 'siteId' | 'origin'>): string =>
  `${siteId} ${origin}`;
