import { createHash } from 'node:crypto';
import type { Alert } from '@portcullis/contract/monitoring';
import { type Condition, steadyLooks } from './conditions.ts';

interface Standing {
  readonly condition: Condition;
  /** Unix milliseconds */
  readonly since: number;
  readonly looks: number;
}

/** What asks for attention while alerts cannot be stored: a full disk must not read as if all were well. */
export class UnstoredAlerts {
  #standing = new Map<string, Standing>();

  /**
   * One look at what holds now.
   * @param now Unix milliseconds
   */
  look(conditions: readonly Condition[], now: number): void {
    const before = this.#standing;
    this.#standing = new Map(
      conditions.map((condition) => {
        const { since = now, looks = 0 } = before.get(condition.key) ?? {};
        return [condition.key, { condition, since, looks: looks + 1 }];
      }),
    );
  }

  /**
   * @param stored keys of the alerts that are active in the database
   * @returns what has held long enough to be an alert and is none there
   */
  besides(stored: ReadonlySet<string>): Alert[] {
    return [...this.#standing.values()]
      .filter(({ condition, looks }) => looks >= steadyLooks && !stored.has(condition.key))
      .map(({ condition: { key, type, message, siteId }, since }) => ({
        // The same one from call to call.
        id: `alert_${createHash('sha256').update(`${key} ${since}`).digest('hex').slice(0, 24)}`,
        type,
        message,
        timestamp: new Date(since).toISOString(),
        status: 'active' as const,
        ...(siteId !== undefined && { siteId }),
      }));
  }
}
