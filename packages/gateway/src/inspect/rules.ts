import type { CustomRule } from '@portcullis/contract/protection';
import { compileCustomRule, type Rule } from '@portcullis/engine';
import { severities } from '@portcullis/engine/vocabulary';

/**
 * Operators' rules in the engine's one form, in order of decision: severity first, then age.
 * @throws with a sentence that names the rule, when one cannot be compiled
 */
export function compileRules(rules: readonly CustomRule[]): Rule[] {
  return inOrderOfDecision(rules.filter((rule) => rule.enabled && rule.status === 'active')).map((rule) => {
    const { redirectTo, ...definition } = rule;
    const compiled = compileCustomRule(
      redirectTo === undefined ? definition : { ...definition, location: redirectTo },
    );
    if (compiled.ok) return compiled.rule;
    throw new Error(`Rule '${rule.name}': ${compiled.issues.map((issue) => issue.message).join(' ')}`);
  });
}

function inOrderOfDecision(rules: readonly CustomRule[]): CustomRule[] {
  const weight = (rule: CustomRule) => severities.indexOf(rule.severity);
  const age = (rule: CustomRule) => rule.created_at ?? '';
  return rules.toSorted(
    (a, b) => weight(b) - weight(a) || age(a).localeCompare(age(b)) || a.id.localeCompare(b.id),
  );
}
