import type { Rule } from '../rules/index.ts';
import { commandInjectionRules } from './command-injection/index.ts';
import { pathTraversalRules } from './path-traversal/index.ts';
import { sqlInjectionRules } from './sql-injection/index.ts';
import { xssRules } from './xss/index.ts';

/** Every rule that ships with the engine, by category. */
export const builtInRules: readonly Rule[] = [
  ...sqlInjectionRules,
  ...xssRules,
  ...commandInjectionRules,
  ...pathTraversalRules,
];
