import type { AdminActionCode } from '@portcullis/contract/events';
import type { Outcome } from '../outcome.ts';
import type { Trx } from '../storage/index.ts';

/** One thing that a change made, altered or removed, as it stood before and stands after. */
export interface EntityChange {
  /** `site`, `ruleset`, … : who owns the noun reads `before` and `after` */
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  /** null where it did not exist */
  readonly before: unknown;
  /** null where it is gone */
  readonly after: unknown;
}

/** What a piece of work did to the configuration, and how to tell of it. */
export interface Change<T> {
  readonly value: T;
  readonly action: AdminActionCode;
  /** one sentence for a person */
  readonly reason: string;
  readonly siteId?: string;
  readonly changes: readonly EntityChange[];
  /** nothing differs from what is stored: nothing of the work is kept, and the history has no version of it */
  readonly same?: boolean;
}

/** Who changes the configuration. */
export interface Author {
  readonly email: string;
  readonly ip: string;
}

/** Work on the configuration: all of it is kept, or on a refusal nothing. */
export type ConfigurationWork<T> = (trx: Trx, now: number) => Promise<Outcome<Change<T>>>;
