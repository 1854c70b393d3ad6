import { wireText } from '@portcullis/contract/events';
import type { GatewaySite } from '@portcullis/contract/link';
import type { InspectionException } from '@portcullis/contract/sites';
import type { CategoryChoice, Exception, InspectedCategory, PolicyInput, Rule } from '@portcullis/engine';
import { inspectedCategories } from '@portcullis/engine/vocabulary';

/** @returns what the engine compiles for a site; undefined where nothing is to be inspected */
export function policyInputOf(site: GatewaySite, customRules: readonly Rule[]): PolicyInput | undefined {
  if (site.security_level === 'off') return undefined;
  const categories: Partial<Record<InspectedCategory, CategoryChoice>> = {};
  for (const category of inspectedCategories) {
    const choice = site.protection_config[category];
    if (choice.enabled) categories[category] = choice;
  }
  if (Object.keys(categories).length === 0 && customRules.length === 0) return undefined;
  const exceptions = site.exceptions.map(exceptionOf);
  return {
    securityLevel: site.security_level,
    categories,
    customRules,
    exceptions,
    trustedOrigins: site.trusted_origins,
    ...(site.allowed_methods.length > 0 && { allowedMethods: site.allowed_methods }),
  };
}

/** The engine reads names as they came, a character a byte; a person types them as text. */
function exceptionOf({ rule_id, expires_at, note: _note, ...conditions }: InspectionException): Exception {
  const set = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(set),
    ...(rule_id === undefined ? {} : { ruleId: rule_id }),
    ...(conditions.parameter === undefined ? {} : { parameter: wireText(conditions.parameter) }),
    ...(expires_at === undefined ? {} : { expiresAtMs: Date.parse(expires_at) }),
  };
}
