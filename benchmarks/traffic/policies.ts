import {
  compilePolicy,
  type InspectedCategory,
  inspectedCategories,
  type Policy,
  type Sensitivity,
} from '../../packages/engine/src/index.ts';

/** Categories that judge what a request carries; the others judge where it comes from and how large it is. */
export const payloadCategories: readonly InspectedCategory[] = inspectedCategories.filter(
  (category) => category !== 'csrf' && category !== 'method_validation' && category !== 'size_limit',
);

/** Those categories on and blocking, at that sensitivity. */
export function policyOf(
  sensitivity: Sensitivity,
  categories: readonly InspectedCategory[] = payloadCategories,
  options: Parameters<typeof compilePolicy>[1] = {},
): Policy {
  const choices = categories.map(
    (category) => [category, { enabled: true, mode: 'block', sensitivity }] as const,
  );
  return compilePolicy({ securityLevel: 'medium', categories: Object.fromEntries(choices) }, options);
}
