import type { Rule } from '../rules/index.ts';
import { runsAt, scaled } from './compile.ts';
import { coversRule, type Exception, holdsAt, type PolicyInput } from './policy.ts';

/** Why a built-in rule judges no request of a site. */
export type IdleReason = 'security_level' | 'category' | 'sensitivity' | 'exception';

/** What a site's choices make of a built-in rule. */
export interface Standing {
  /** absent where the rule judges requests */
  readonly idle: IdleReason | undefined;
  /** exceptions that take the rule back for some requests, or for all */
  readonly exceptions: number;
}

/**
 * Says whether a site's choices let a built-in rule judge its requests. Pure.
 * @param nowMs milliseconds since the epoch, for exceptions that expire
 */
export function standingOf(
  rule: Rule,
  input: Pick<PolicyInput, 'securityLevel' | 'categories' | 'exceptions'>,
  nowMs: number,
): Standing {
  const covering = (input.exceptions ?? []).filter((one) => coversRule(one, rule) && holdsAt(one, nowMs));
  return { idle: idleReason(rule, input, covering), exceptions: covering.length };
}

function idleReason(
  rule: Rule,
  { securityLevel, categories }: Pick<PolicyInput, 'securityLevel' | 'categories'>,
  covering: readonly Exception[],
): IdleReason | undefined {
  if (securityLevel === 'off') return 'security_level';
  const choice = rule.category && categories[rule.category];
  if (!choice?.enabled) return 'category';
  if (!runsAt(rule, scaled(choice.sensitivity, securityLevel)))
    return runsAt(rule, choice.sensitivity) ? 'security_level' : 'sensitivity';
  return covering.some(everywhere) ? 'exception' : undefined;
}

const everywhere = ({ path, parameter, method }: Exception) =>
  path === undefined && parameter === undefined && method === undefined;
