import type { SiteCreate } from '@portcullis/contract/sites';
import type { EntityState, StoredObject } from '../configuration/index.ts';
import { configOf } from '../sites/index.ts';
import { entriesAtOnce, type Steps } from '../steps.ts';
import type { Desired, DesiredState } from './desired.ts';
import { agesInOrder } from './order.ts';
import type { PresentState } from './present-state.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Fields that are absent and fields that are undefined are the same thing in a file. */
function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((entry, index) => same(entry, b[index]));
  }
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return Object.is(a, b);
  return Object.keys({ ...a, ...b }).every((name) => same(a[name], b[name]));
}

/** As {@link same}, of values that hold long lists. */
function* sameLong(a: object, b: object): Steps<boolean> {
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const name of Object.keys({ ...one, ...other })) {
    const [left, right] = [one[name], other[name]];
    const isLong = Array.isArray(left) && Array.isArray(right) && left.length === right.length;
    if (!isLong) {
      if (!same(left, right)) return false;
      continue;
    }
    for (let from = 0; from < left.length; from += entriesAtOnce) {
      const until = from + entriesAtOnce;
      if (!same(left.slice(from, until), right.slice(from, until))) return false;
      yield;
    }
  }
  return true;
}

function siteStates(sites: readonly Desired<SiteCreate>[], present: PresentState, now: number) {
  const stored = new Map(present.sites.map((site) => [site.id, site]));
  const states: EntityState[] = [];
  for (const [index, { id, value }] of sites.entries()) {
    const before = stored.get(id);
    stored.delete(id);
    if (before && same(configOf(before), value)) continue;
    const created_at = before?.created_at ?? new Date(now + index).toISOString();
    const state = { ...value, id, version: before?.version ?? 0, created_at, updated_at: created_at };
    states.push({ kind: 'site', id, name: value.name, state });
  }
  for (const { id, name } of stored.values()) states.push({ kind: 'site', id, name, state: null });
  return states;
}

interface Named {
  readonly name: string;
}

/** When each was made, by its id: as is stored, and new ones in the order of the file. */
function agesOf(wanted: readonly Desired<unknown>[], stored: readonly StoredObject<unknown>[], now: number) {
  const known = new Map(stored.map(({ id, createdAt }) => [id, createdAt]));
  return new Map(wanted.map(({ id }, index) => [id, known.get(id) ?? now + index]));
}

/** As {@link agesOf}, of rules: within a set their order counts, for those of one severity are asked by age. */
function agesOfRules(
  wanted: readonly Desired<unknown>[],
  stored: readonly StoredObject<unknown>[],
  now: number,
) {
  const ages = agesOf(wanted, stored, now);
  for (const rules of Map.groupBy(wanted, ({ parentId }) => parentId).values()) {
    const inOrder = agesInOrder(rules.map(({ id }) => ({ id, createdAt: ages.get(id) ?? now })));
    for (const [id, age] of inOrder) ages.set(id, age);
  }
  return ages;
}

function* objectStates<T extends Named>(
  kind: string,
  wanted: readonly Desired<T>[],
  stored: readonly StoredObject<T>[],
  now: number,
  ages = agesOf(wanted, stored, now),
): Steps<EntityState[]> {
  const left = new Map(stored.map((object) => [object.id, object]));
  const states: EntityState[] = [];
  for (const { id, value, parentId } of wanted) {
    const before = left.get(id);
    left.delete(id);
    const createdAt = ages.get(id) ?? now;
    const inPlace = before?.parentId === parentId && before.createdAt === createdAt;
    if (inPlace && (yield* sameLong(before.value, value))) continue;
    const state = {
      id,
      parentId,
      value,
      version: before?.version ?? 0,
      createdAt,
      updatedAt: now,
      updatedBy: '',
    };
    states.push({ kind, id, name: value.name, state });
  }
  for (const { id, value } of left.values()) states.push({ kind, id, name: value.name, state: null });
  return states;
}

/** What must be stored or taken out so that storage holds what a file wants: only what differs. */
export function* plannedStates(
  desired: DesiredState,
  present: PresentState,
  now: number,
): Steps<EntityState[]> {
  const { sites } = desired;
  const kept = new Set((sites ?? present.sites).map(({ id }) => id));
  const orphans = present.lists
    .filter(({ parentId }) => parentId !== null && !kept.has(parentId))
    .map(({ id, value }) => ({ kind: 'address_list', id, name: value.name, state: null }));
  const ages = agesOfRules(desired.rules, present.rules, now);
  return [
    ...(sites ? siteStates(sites, present, now) : []),
    ...(sites ? yield* objectStates('ruleset', desired.rulesets, present.rulesets, now) : []),
    ...(sites ? yield* objectStates('rule', desired.rules, present.rules, now, ages) : []),
    ...(desired.lists ? yield* objectStates('address_list', desired.lists, present.lists, now) : orphans),
  ];
}
