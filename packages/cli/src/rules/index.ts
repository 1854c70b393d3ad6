import type { Issue } from '@portcullis/contract/api';
import type { CustomRuleCreate } from '@portcullis/contract/protection';
import { compileCustomRule } from '@portcullis/engine';

export { listBuiltInRules } from './built-in.ts';

/**
 * Whether the engine can run an operator's rule, asked when the rule is saved.
 * @returns what to mend, with dotted paths into the rule; empty where it compiles
 */
export function checkRule(rule: CustomRuleCreate): readonly Issue[] {
  const compiled = compileCustomRule({
    ...rule,
    id: 'unsaved',
    ...(rule.redirectTo && { location: rule.redirectTo }),
  });
  if (compiled.ok) return [];
  return compiled.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
}
