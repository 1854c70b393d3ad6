import { AddressListCreate } from '@portcullis/contract/access';
import type { ConfigurationDocument } from '@portcullis/contract/configuration';
import { SiteCreate } from '@portcullis/contract/sites';
import { notEnded } from '../access/index.ts';
import { newId } from '../identity.ts';
import { RulesetValue, RuleValue } from '../protection/index.ts';
import type { PresentState } from './present-state.ts';

type DocumentSite = NonNullable<ConfigurationDocument['sites']>[number];
type DocumentList = NonNullable<ConfigurationDocument['address_lists']>[number];

/** One thing as a file wants it. */
export interface Desired<T> {
  readonly id: string;
  readonly value: T;
  /** what it is a part of; null where it stands alone */
  readonly parentId: string | null;
  /** where the file says so */
  readonly path: string;
}

/** All things as a file wants them; undefined: the file leaves them alone. */
export interface DesiredState {
  readonly sites: readonly Desired<SiteCreate>[] | undefined;
  readonly rulesets: readonly Desired<RulesetValue>[];
  readonly rules: readonly Desired<RuleValue>[];
  readonly lists: readonly Desired<AddressListCreate>[] | undefined;
}

/** Finds for each thing of the file that has no id the stored one that it means, each stored one once. */
function identify<F extends { readonly id?: string | undefined }, S extends { readonly id: string }>(
  wanted: readonly F[],
  stored: readonly S[],
  isSame: (file: F, stored: S) => boolean,
  prefix: string,
): string[] {
  const taken = new Set(wanted.flatMap(({ id }) => id ?? []));
  return wanted.map((one) => {
    if (one.id !== undefined) return one.id;
    const found = stored.find((each) => !taken.has(each.id) && isSame(one, each));
    const id = found?.id ?? newId(prefix);
    taken.add(id);
    return id;
  });
}

/** The two names of one switch come out equal; `healthCheck.enabled` counts. */
function configOfSite({ id: _id, rulesets: _r, certificate: _c, ...config }: DocumentSite): SiteCreate {
  return SiteCreate.parse({ ...config, health_check_enabled: config.healthCheck.enabled });
}

function protectionOf(site: DocumentSite, siteId: string, path: string, present: PresentState) {
  const storedSets = present.rulesets.filter(({ parentId }) => parentId === siteId);
  const setIds = identify(site.rulesets, storedSets, (set, { value }) => set.name === value.name, 'rs');
  const rulesets = site.rulesets.map((set, index): Desired<RulesetValue> => {
    const { name, status, own } = set;
    const value = RulesetValue.parse({ siteId, name, status, origin: own ? 'own' : 'templates' });
    return { id: setIds[index] ?? '', value, parentId: siteId, path: `${path}.rulesets.${index}` };
  });
  const rules = site.rulesets.flatMap((set, index) => {
    const setId = setIds[index] ?? '';
    const storedRules = present.rules.filter(({ parentId }) => parentId === setId);
    const ids = identify(set.rules, storedRules, (rule, { value }) => rule.name === value.name, 'rule');
    return set.rules.map(({ id: _id, ...rule }, position): Desired<RuleValue> => {
      const value = RuleValue.parse({ ...rule, siteId });
      const place = `${path}.rulesets.${index}.rules.${position}`;
      return { id: ids[position] ?? '', value, parentId: setId, path: place };
    });
  });
  return { rulesets, rules };
}

type NamedSite = Pick<Desired<SiteCreate>, 'id' | 'value'>;

function listsOf(
  lists: readonly DocumentList[],
  sites: readonly NamedSite[],
  present: PresentState,
  now: number,
) {
  const siteOf = (name: string | undefined) =>
    sites.find(({ id, value }) => id === name || (name !== undefined && value.domains.includes(name)))?.id ??
    name;
  const ids = identify(lists, present.lists, (list, { value }) => list.name === value.name, 'list');
  return lists.map(({ id: _id, site, entries, ...list }, index): Desired<AddressListCreate> => {
    const siteId = siteOf(site);
    // Checked when the file was read, in its thread: a million once more took half a second here.
    const rest = AddressListCreate.parse({ ...list, entries: [], ...(siteId !== undefined && { siteId }) });
    const value = { ...rest, entries, temporary: notEnded(rest.temporary, now) };
    return { id: ids[index] ?? '', value, parentId: siteId ?? null, path: `address_lists.${index}` };
  });
}

/**
 * What a file wants, with an id for everything. A thing without an id is the stored one of the same place: a site by
 * one of its domains, all else by its name; or a new one.
 */
export function desiredState(
  document: ConfigurationDocument,
  present: PresentState,
  now: number,
): DesiredState {
  const wanted = document.sites ?? [];
  const sharesDomain = (site: DocumentSite, stored: { domains: readonly string[] }) =>
    site.domains.some((domain) => stored.domains.includes(domain));
  const ids = identify(wanted, present.sites, sharesDomain, 'site');
  const sites = wanted.map((site, index): Desired<SiteCreate> => {
    const path = `sites.${index}`;
    return { id: ids[index] ?? '', value: configOfSite(site), parentId: null, path };
  });
  const protection = wanted.map((site, index) =>
    protectionOf(site, ids[index] ?? '', `sites.${index}`, present),
  );
  const named = document.sites ? sites : present.sites.map((site) => ({ id: site.id, value: site }));
  return {
    sites: document.sites && sites,
    rulesets: protection.flatMap(({ rulesets }) => rulesets),
    rules: protection.flatMap(({ rules }) => rules),
    lists: document.address_lists && listsOf(document.address_lists, named, present, now),
  };
}
