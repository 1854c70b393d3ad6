import { type Health, HealthChecker, type HealthPlan } from './checker.ts';

/** The health checks of all sites; a reload leaves those alone whose plan did not change. */
export class HealthWatch {
  readonly #checkers = new Map<string, HealthChecker>();
  readonly #onChange: (siteId: string, healthy: boolean, reason: string | undefined) => void;

  constructor(onChange: (siteId: string, healthy: boolean, reason: string | undefined) => void) {
    this.#onChange = onChange;
  }

  /** @param plans by site id; sites that are left out are no longer checked */
  update(plans: ReadonlyMap<string, HealthPlan>): void {
    for (const [siteId, checker] of this.#checkers) {
      const wanted = plans.get(siteId);
      if (wanted !== undefined && JSON.stringify(wanted) === JSON.stringify(checker.plan)) continue;
      checker.stop();
      this.#checkers.delete(siteId);
    }
    for (const [siteId, plan] of plans) {
      if (this.#checkers.has(siteId)) continue;
      const checker = new HealthChecker(plan, (healthy, reason) => this.#onChange(siteId, healthy, reason));
      this.#checkers.set(siteId, checker);
      checker.start();
    }
  }

  stop(): void {
    for (const checker of this.#checkers.values()) checker.stop();
    this.#checkers.clear();
  }

  report(): ({ readonly siteId: string; readonly url: string } & Health)[] {
    return [...this.#checkers].map(([siteId, { plan, health }]) => ({ siteId, url: plan.origin, ...health }));
  }
}
