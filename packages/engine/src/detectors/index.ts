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

/**
 * Every rule that ships with the engine, by category. What a category holds beyond its name:
 * sql_injection also NoSQL; command_injection also server-side code, template and expression languages,
 * deserialisation and prototype pollution; path_traversal also file inclusion, probing for leftovers and scanners;
 * ldap_injection also XPath; header_injection also mail headers and smuggling.
 */
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
