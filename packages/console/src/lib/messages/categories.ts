import { categoryClasses, categoryNames } from '@portcullis/contract/vocabulary';

/** Of kinds that are no category too. */
const names: Readonly<Record<string, string>> = {
  ...categoryNames,
  rate_limit: 'Rate limit',
  custom: 'Custom',
  custom_rule: 'Custom rule',
};

/** @returns the words for a category or kind; one without words of ours with its underscores as spaces */
export function categoryLabel(name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name.replaceAll('_', ' ');
}

const holds: Record<string, string> = {
  sql: 'SQL of every dialect, Cypher',
  nosql: 'NoSQL operators, search parsers',
  cmd: 'shells of Unix and Windows',
  code: 'PHP, Java, Python, Node, expression languages',
  template: 'templates',
  object: 'serialised objects',
  path: 'files of system and application',
  probe: 'probing, scanners',
  ldap: 'LDAP filters',
  xpath: 'XPath',
};

/** @returns what a category holds beyond its name; undefined where the name says it all */
export function categoryHelp(category: string): string | undefined {
  if (!Object.hasOwn(categoryClasses, category)) return undefined;
  const classes: readonly string[] = categoryClasses[category as keyof typeof categoryClasses];
  if (classes.length < 2) return undefined;
  const text = classes.map((one) => holds[one] ?? one).join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
