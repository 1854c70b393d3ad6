import type { Template } from '../macros/index.ts';
import type { SafePattern } from '../regex/index.ts';
import type { BodyProcessor, EngineMode } from '../state/index.ts';
import type { TargetMatcher } from './targets.ts';

/** Something that a match changes for the rules after it. */
export type Effect =
  | {
      readonly kind: 'set';
      readonly collection: string;
      readonly key: Template;
      readonly operation: 'assign' | 'add' | 'subtract' | 'delete';
      readonly value: Template;
    }
  | {
      /** initcol and its kin */
      readonly kind: 'open';
      readonly collection: string;
      readonly key: Template;
    }
  | {
      readonly kind: 'expire';
      readonly collection: string;
      readonly key: Template;
      readonly seconds: Template;
    }
  | {
      /** deprecatevar: less by so much for each such stretch since the collection was last changed */
      readonly kind: 'wane';
      readonly collection: string;
      readonly key: Template;
      readonly by: number;
      readonly everySeconds: number;
    }
  | { readonly kind: 'engine'; readonly mode: EngineMode }
  | { readonly kind: 'processor'; readonly processor: BodyProcessor }
  | { readonly kind: 'force-body' | 'body'; readonly on: boolean }
  | { readonly kind: 'remove-rules'; readonly which: RuleSelection }
  | { readonly kind: 'remove-target'; readonly which: RuleSelection; readonly target: TargetMatcher };

/** Rules by id, tag or message. */
export type RuleSelection =
  | { readonly by: 'id'; readonly ranges: readonly (readonly [first: number, last: number])[] }
  | { readonly by: 'tag' | 'message'; readonly pattern: SafePattern };

/** Whether a rule of that id, tags and message is meant. */
export function selects(
  which: RuleSelection,
  rule: { readonly id: number; readonly tags: readonly string[]; readonly message: string },
): boolean {
  if (which.by === 'id') return which.ranges.some(([first, last]) => rule.id >= first && rule.id <= last);
  if (which.by === 'message') return which.pattern.test(rule.message);
  return rule.tags.some((tag) => which.pattern.test(tag));
}
