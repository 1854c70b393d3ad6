import { isDeepStrictEqual } from 'node:util';
import { type Health, HealthChecker, type HealthPlan } from './checker.ts';

/** A verdict that turned. */
export interface HealthChange {
  readonly siteId: string;
  readonly origin: string;
  readonly healthy: boolean;
  readonly reason: string | undefined;
}

/** The health checks of all sites; a reload leaves those alone whose plan did not change. */
export class HealthWatch {
  readonly #checkers = new Map<string, HealthChecker>();
  readonly #onChange: (change: HealthChange) => void;

  constructor(onChange: (change: HealthChange) => void) {
    this.#onChange = onChange;
  }

  /** @param wanted by {@link healthKeyOf}; what is left out is no longer checked */
  update(wanted: ReadonlyMap<string, HealthPlan>): void {
    for (const [key, checker] of this.#checkers) {
      const plan = wanted.get(key);
      if (plan === checker.plan || isDeepStrictEqual(plan, checker.plan)) continue;
      checker.stop();
      this.#checkers.delete(key);
    }
    for (const [key, plan] of wanted) {
      if (this.#checkers.has(key)) continue;
      const { siteId, origin } = plan;
      const checker = new HealthChecker(plan, (healthy, reason) =>
        this.#onChange({ siteId, origin, healthy, reason }),
      );
      this.#checkers.set(key, checker);
      checker.start();
    }
  }

  stop(): void {
    for (const checker of this.#checkers.values()) checker.stop();
    this.#checkers.clear();
  }

  report(): ({ readonly siteId: string; readonly url: string } & Health)[] {
    return [...this.#checkers.values()].map(({ plan, health }) => ({
      siteId: plan.siteId,
      url: plan.origin,
      ...health,
    }));
  }
}

/** @returns what one check is known by: a site's look at an upstream */
export const healthKeyOf = ({ siteId, origin }: HealthPlan): string => `${siteId} ${origin}`;
