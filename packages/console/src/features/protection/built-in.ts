import type { BuiltInRule } from '@portcullis/contract/protection';
import { categoryLabel } from '../../lib/messages/categories.ts';

/** What is looked for among the built-in rules; all that is set must hold. */
export interface Sought {
  /** words that stand in id, description or category, in any case */
  readonly text: string;
  /** a category, or `answers` for rules that look at answers */
  readonly category?: string | null;
  /** on the site that was asked about */
  readonly state?: 'counts' | 'idle' | undefined;
}

/** The group that rules for answers stand in. */
export const answers = 'answers';

/** @returns the rules that fit, in their order; one whose whole id is sought stands first, then those that begin so */
export function findBuiltIn(rules: readonly BuiltInRule[], sought: Sought): BuiltInRule[] {
  const text = sought.text.trim().toLowerCase();
  const parts = text.split(/\s+/);
  const fits = (rule: BuiltInRule) => {
    const group = rule.category ?? answers;
    const told = `${rule.id} ${rule.description} ${categoryLabel(group)}`.toLowerCase();
    return (
      parts.every((part) => told.includes(part)) &&
      (!sought.category || sought.category === group) &&
      (sought.state === undefined || (rule.site?.idle === undefined) === (sought.state === 'counts'))
    );
  };
  const rank = ({ id }: BuiltInRule) => (id === text ? 0 : id.startsWith(text) ? 1 : 2);
  return rules.filter(fits).sort((one, other) => rank(one) - rank(other));
}
