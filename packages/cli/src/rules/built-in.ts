import type { GatewaySite } from '@portcullis/contract/link';
import type { BuiltInRule } from '@portcullis/contract/protection';
import {
  builtInRules,
  type Exception,
  type LeakRule,
  leakRules,
  type Rule,
  standingOf,
} from '@portcullis/engine';

/**
 * The catalogue of what gateways judge by without being told.
 * @param site whose choices are laid upon it
 * @param nowMs Unix milliseconds, at which exceptions hold or have expired
 */
export function listBuiltInRules(site: GatewaySite | undefined, nowMs: number): BuiltInRule[] {
  return [
    ...builtInRules.map((rule) => ({
      ...ofRequests(rule),
      ...(site && { site: onSite(rule, site, nowMs) }),
    })),
    ...leakRules.map((rule) => ({ ...ofAnswers(rule), ...(site && { site: onAnswersOf(rule, site) }) })),
  ];
}

function ofRequests({
  id,
  message,
  category,
  severity,
  sensitivity,
  score,
  targets,
  operator,
}: Rule): BuiltInRule {
  const parts = operator.kind === 'structure' ? [] : [...new Set(targets.map(({ part }) => part))];
  return { id, description: message, category, severity, sensitivity, score, parts };
}

const ofAnswers = ({ id, message, kind, severity }: LeakRule): BuiltInRule => ({
  ...{ id, description: message, leak: kind, severity },
  parts: [],
});

function onSite(rule: Rule, site: GatewaySite, nowMs: number): BuiltInRule['site'] {
  const { security_level: securityLevel, protection_config: categories } = site;
  const { idle, exceptions } = standingOf(
    rule,
    { securityLevel, categories, exceptions: site.exceptions.map(exceptionOf) },
    nowMs,
  );
  if (!site.enabled) return { idle: 'site', exceptions };
  if (idle !== undefined || rule.category === undefined) return { idle, exceptions };
  return { mode: site.watch_only ? 'log' : categories[rule.category].mode, exceptions };
}

function onAnswersOf({ kind }: LeakRule, site: GatewaySite): BuiltInRule['site'] {
  const { mode, kinds } = site.response_inspection;
  if (!site.enabled) return { idle: 'site', exceptions: 0 };
  if (mode === 'off' || !kinds.includes(kind)) return { idle: 'response_inspection', exceptions: 0 };
  return { mode: site.watch_only ? 'log' : mode, exceptions: 0 };
}

function exceptionOf(one: GatewaySite['exceptions'][number]): Exception {
  const { rule_id: ruleId, category, path, parameter, method, expires_at } = one;
  const expiresAtMs = expires_at === undefined ? undefined : Date.parse(expires_at);
  return { ruleId, category, path, parameter, method, expiresAtMs };
}
