import type { Rule, StructureCheck } from '../../rules/index.ts';
import { structureRule } from '../define.ts';

const category = 'method_validation' as const;

const notServed: StructureCheck = (_request, { method, allowedMethods }) =>
  allowedMethods.includes(method) ? undefined : { target: 'method', value: method };

const overridden: StructureCheck = ({ headers }, { allowedMethods }) => {
  for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override'] as const) {
    const method = headers.get(name)?.[0]?.toUpperCase();
    if (method !== undefined && !allowedMethods.includes(method))
      return { target: `header:${name}`, value: method };
  }
  return undefined;
};

const bodyWithoutNeed: StructureCheck = ({ body }, { method }) =>
  (method === 'GET' || method === 'HEAD' || method === 'TRACE') && body !== ''
    ? { target: 'body', value: body.slice(0, 200) }
    : undefined;

/** Methods that the site does not serve, and ways around that. */
export const methodValidationRules: readonly Rule[] = [
  structureRule({
    id: 'method-not-served',
    category,
    severity: 'medium',
    message: 'A method that the site does not serve',
    check: notServed,
  }),
  structureRule({
    id: 'method-override',
    category,
    severity: 'medium',
    message: 'A header that asks for a method that the site does not serve',
    check: overridden,
  }),
  structureRule({
    id: 'method-body',
    category,
    severity: 'low',
    score: 3,
    sensitivity: 'high',
    message: 'A body where none has a meaning (RFC 9110 §9.3.1)',
    check: bodyWithoutNeed,
  }),
];
