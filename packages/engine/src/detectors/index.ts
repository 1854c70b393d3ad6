import type { Rule } from '../rules/index.ts';
import { commandInjectionRules } from './command-injection/index.ts';
import { csrfRules } from './csrf/index.ts';
import { fileUploadRules } from './file-upload/index.ts';
import { headerInjectionRules } from './header-injection/index.ts';
import { ldapInjectionRules } from './ldap-injection/index.ts';
import { methodValidationRules } from './method-validation/index.ts';
import { pathTraversalRules } from './path-traversal/index.ts';
import { sizeLimitRules } from './size-limit/index.ts';
import { sqlInjectionRules } from './sql-injection/index.ts';
import { ssrfRules } from './ssrf/index.ts';
import { xssRules } from './xss/index.ts';
import { xxeRules } from './xxe/index.ts';

/** Every rule that ships with the engine, by category; `categoryClasses` says what a category holds beyond its name. */
export const builtInRules: readonly Rule[] = [
  ...sqlInjectionRules,
  ...xssRules,
  ...commandInjectionRules,
  ...pathTraversalRules,
  ...xxeRules,
  ...csrfRules,
  ...ssrfRules,
  ...ldapInjectionRules,
  ...headerInjectionRules,
  ...fileUploadRules,
  ...methodValidationRules,
  ...sizeLimitRules,
];
