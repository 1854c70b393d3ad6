/**
 * The words that every part of the product shares about protection. Plain data, safe to load in a browser.
 */

/** The sixteen protection categories of a site, in the order in which the console shows them. */
export const categories = [
  'sql_injection',
  'xss',
  'command_injection',
  'path_traversal',
  'xxe',
  'csrf',
  'ssrf',
  'ldap_injection',
  'header_injection',
  'file_upload',
  'method_validation',
  'size_limit',
  'rate_limiting',
  'bot_fight_mode',
  'js_challenge',
  'captcha_challenge',
] as const;
export type Category = (typeof categories)[number];

/** Categories that the engine decides from the request alone; the gateway enforces the others. */
export const inspectedCategories = [
  'sql_injection',
  'xss',
  'command_injection',
  'path_traversal',
  'xxe',
  'csrf',
  'ssrf',
  'ldap_injection',
  'header_injection',
  'file_upload',
  'method_validation',
  'size_limit',
] as const satisfies readonly Category[];
export type InspectedCategory = (typeof inspectedCategories)[number];

/**
 * What each of these categories holds, each class by the word that its rules' ids begin with: `nosql-range` is a rule
 * of sql_injection. A test keeps this true.
 */
export const categoryClasses = {
  /** SQL of every dialect, Cypher; NoSQL operators and search parsers */
  sql_injection: ['sql', 'nosql'],
  /** markup that runs script, and script itself */
  xss: ['xss'],
  /** shells of Unix and Windows; PHP, Java, Python, Node and expression languages, lookups, prototypes, server-side includes; templates; serialised objects */
  command_injection: ['cmd', 'code', 'template', 'object'],
  /** climbing, system files, stream wrappers, remote inclusion; probing for leftovers and holes, scanners by name */
  path_traversal: ['path', 'probe'],
  xxe: ['xxe'],
  csrf: ['csrf'],
  ssrf: ['ssrf'],
  /** filters of LDAP, conditions of XPath */
  ldap_injection: ['ldap', 'xpath'],
  /** response splitting, mail headers, smuggling */
  header_injection: ['header'],
  /** what a server would run, web shells, polyglots, archives that swell or climb */
  file_upload: ['upload'],
  method_validation: ['method'],
  size_limit: ['size'],
} as const satisfies Readonly<Record<InspectedCategory, readonly string[]>>;

/** How much evidence a category asks for before it acts: low asks for the most, high for the least. */
export const sensitivities = ['low', 'medium', 'high'] as const;
export type Sensitivity = (typeof sensitivities)[number];

/** What a category does once its evidence is enough. `log` records and lets pass (shadow mode). */
export const modes = ['block', 'challenge', 'log'] as const;
export type Mode = (typeof modes)[number];

/** A site's overall posture. `off` inspects nothing and still forwards. */
export const securityLevels = ['off', 'low', 'medium', 'high', 'under_attack'] as const;
export type SecurityLevel = (typeof securityLevels)[number];

/** What a custom rule may do. `allow` lets a request pass later rules, challenges and categories. */
export const ruleActions = ['block', 'challenge', 'log', 'redirect', 'allow'] as const;
export type RuleAction = (typeof ruleActions)[number];

export const severities = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** What a custom rule's condition may look at. */
export const conditionFields = ['path', 'method', 'header', 'query', 'body', 'ip', 'user_agent'] as const;
export type ConditionField = (typeof conditionFields)[number];

export const conditionOperators = [
  'equals',
  'contains',
  'starts_with',
  'ends_with',
  'regex',
  'not_equals',
] as const;
export type ConditionOperator = (typeof conditionOperators)[number];

export const combinators = ['AND', 'OR'] as const;
export type Combinator = (typeof combinators)[number];

/** What an answer should not show, and response inspection looks for. */
export const leakKinds = [
  'stack_trace',
  'sql_error',
  'directory_listing',
  'private_key',
  'source_code',
] as const;
export type LeakKind = (typeof leakKinds)[number];
