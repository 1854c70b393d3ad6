import type { UseFormReturnType } from '@mantine/form';
import type { CustomRule } from '@portcullis/contract/protection';
import type { FieldErrors } from '../../components/form-errors.ts';
import { messages } from '../../lib/messages/index.ts';

/** What the form of a custom rule holds. */
export type RuleValues = Pick<
  CustomRule,
  'name' | 'description' | 'type' | 'conditions' | 'action' | 'logs' | 'severity' | 'enabled'
> & { redirectTo: string };

/** The form of a custom rule as its parts take it. */
export type RuleForm = UseFormReturnType<RuleValues>;

const words = messages.protection.modal;

/** A condition that still needs its value. */
export const emptyCondition = { field: 'path', operator: 'contains', value: '' } as const;

/** Fields of which one part can be named: which header, which query parameter. */
export const namedFields: ReadonlySet<string> = new Set(['header', 'query']);

/** A new rule with the contract's defaults. */
export function newRuleValues(): RuleValues {
  return {
    name: '',
    description: '',
    type: 'custom',
    conditions: { operator: 'AND', rules: [{ ...emptyCondition }] },
    action: 'block',
    logs: true,
    severity: 'medium',
    enabled: true,
    redirectTo: '',
  };
}

/** A stored rule as the form takes it; what is missing gets its default. */
export function storedRuleValues(rule: { [K in keyof CustomRule]?: CustomRule[K] | undefined }): RuleValues {
  const fresh = newRuleValues();
  return {
    name: rule.name ?? fresh.name,
    description: rule.description ?? fresh.description,
    type: rule.type ?? fresh.type,
    conditions: rule.conditions ?? fresh.conditions,
    action: rule.action ?? fresh.action,
    logs: rule.logs ?? fresh.logs,
    severity: rule.severity ?? fresh.severity,
    enabled: rule.enabled ?? fresh.enabled,
    redirectTo: rule.redirectTo ?? fresh.redirectTo,
  };
}

/** What is sent: a target only for a redirect, a name only where the field has one. */
export function ruleToSend(values: RuleValues) {
  const { redirectTo, conditions, ...fields } = values;
  return {
    ...fields,
    conditions: {
      ...conditions,
      rules: conditions.rules.map(({ name = '', ...condition }) =>
        name.trim() !== '' && namedFields.has(condition.field)
          ? { ...condition, name: name.trim() }
          : condition,
      ),
    },
    ...(values.action === 'redirect' ? { redirectTo } : {}),
  };
}

/** @returns what is wrong, by field */
export function ruleProblems(values: RuleValues): FieldErrors {
  const errors: FieldErrors = {};
  if (values.name.trim() === '') errors['name'] = words.nameRequired;
  if (values.action === 'redirect' && values.redirectTo.trim() === '')
    errors['redirectTo'] = words.redirectRequired;
  for (const [index, condition] of values.conditions.rules.entries()) {
    if (condition.value === '') errors[`conditions.rules.${index}.value`] = words.valueRequired;
  }
  return errors;
}
