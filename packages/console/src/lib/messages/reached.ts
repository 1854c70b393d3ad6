import type { AuditEntry, ReachedThreshold } from '@portcullis/contract/events';
import { formatCount } from '../format/index.ts';
import { categoryLabel } from './categories.ts';
import { messages } from './index.ts';

const words = messages.logs.detail;

/** @returns '5; medium sensitivity acts from 5', the score and what the sensitivity in force asks for */
function reachedLabel({ score, threshold, sensitivity }: ReachedThreshold): string {
  return words.reached(formatCount(score), formatCount(threshold), sensitivity);
}

/** What an event's score means: against the threshold, and in all categories where others add to it. */
export function scoreLabel({ score, reached }: AuditEntry): string | undefined {
  const total = score === undefined ? undefined : formatCount(score);
  if (!reached) return total;
  const own = reachedLabel(reached);
  return total === undefined || score === reached.score ? own : `${own} · ${words.inAll(total)}`;
}

/** The same above the matches that add up to it, with the category that it was reached in. */
export function reachedIn({ reached, ruleType }: AuditEntry): string | undefined {
  if (!reached) return undefined;
  return ruleType ? words.reachedIn(categoryLabel(ruleType), reachedLabel(reached)) : reachedLabel(reached);
}
