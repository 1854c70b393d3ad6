import type { Issue } from '@portcullis/contract/api';
import type { ConfigurationDocument } from '@portcullis/contract/configuration';
import type { CustomRuleCreate } from '@portcullis/contract/protection';
import { listsIssues } from '../access/index.ts';
import { ruleIssues } from '../protection/index.ts';
import { securityIssues } from '../settings/index.ts';
import { siteIssues, type UpstreamSurroundings } from '../sites/index.ts';
import type { Desired, DesiredState } from './desired.ts';
import type { PresentState } from './present-state.ts';

/** Who knows what a schema does not. */
export interface Checkers {
  surroundings(): UpstreamSurroundings;
  /** what of a rule the engine cannot run */
  checkRule(rule: CustomRuleCreate): readonly Issue[];
}

const under = (path: string, issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({ ...issue, path: `${path}.${issue.path}` }));

function repeatedIds(things: readonly Desired<unknown>[]): Issue[] {
  const seen = new Map<string, string>();
  return things.flatMap(({ id, path }) => {
    const first = seen.get(id);
    if (first === undefined) seen.set(id, path);
    return first === undefined ? [] : [{ path: `${path}.id`, message: `${first} has this id too` }];
  });
}

function takenDomains(sites: NonNullable<DesiredState['sites']>): Issue[] {
  const owner = new Map<string, string>();
  return sites.flatMap(({ id, value, path }) =>
    value.domains.flatMap((domain, index) => {
      const first = owner.get(domain);
      owner.set(domain, first ?? id);
      if (first === undefined || first === id) return [];
      const name = sites.find((site) => site.id === first)?.value.name;
      const message = `The site "${name}" already has the domain ${domain}`;
      return [{ path: `${path}.domains.${index}`, message }];
    }),
  );
}

function secondOwnSets({ rulesets }: DesiredState): Issue[] {
  const own = rulesets.filter(({ value }) => value.origin === 'own');
  return own
    .filter((set, index) => own.findIndex((one) => one.parentId === set.parentId) !== index)
    .map(({ path }) => ({ path: `${path}.own`, message: 'A site has one ruleset of its own at most' }));
}

function listIssues(lists: NonNullable<DesiredState['lists']>, siteIds: ReadonlySet<string>): Issue[] {
  const nowhere: Issue[] = lists
    .filter(({ parentId }) => parentId !== null && !siteIds.has(parentId))
    .map(({ path }) => ({ path: `${path}.site`, message: 'There is no such site' }));
  const tooMany = listsIssues(lists.map(({ value }) => value));
  return [...nowhere, ...tooMany.map(({ message }) => ({ path: 'address_lists', message }))];
}

/** All that no schema can say of a file. */
export function documentIssues(
  { settings }: ConfigurationDocument,
  desired: DesiredState,
  present: PresentState,
  { surroundings, checkRule }: Checkers,
): Issue[] {
  const { sites = [], rulesets, rules, lists = [] } = desired;
  const around = surroundings();
  const siteIds = new Set((desired.sites ?? present.sites).map(({ id }) => id));
  return [
    ...repeatedIds(sites),
    ...repeatedIds(rulesets),
    ...repeatedIds(rules),
    ...repeatedIds(lists),
    ...sites.flatMap(({ value, path }) => under(path, siteIssues(value, around))),
    ...takenDomains(sites),
    ...secondOwnSets(desired),
    ...rules.flatMap(({ value, path }) => under(path, [...ruleIssues(value), ...checkRule(value)])),
    ...listIssues(lists, siteIds),
    ...(settings?.security ? under('settings.security', securityIssues(settings.security)) : []),
  ];
}
