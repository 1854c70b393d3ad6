import { compilePolicy, type InspectedCategory } from '../src/index.ts';

const enabled: readonly InspectedCategory[] = [
  'sql_injection',
  'xss',
  'path_traversal',
  'command_injection',
  'file_upload',
];

/** The policy that all examples share: five categories, blocking, at medium sensitivity. */
export const policy = compilePolicy({
  securityLevel: 'medium',
  categories: Object.fromEntries(
    enabled.map((category) => [category, { enabled: true, mode: 'block', sensitivity: 'medium' }] as const),
  ),
});
