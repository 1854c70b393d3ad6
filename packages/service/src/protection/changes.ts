import type { Issue } from '@portcullis/contract/api';
import type { CustomRule, CustomRuleCreate, Ruleset } from '@portcullis/contract/protection';
import type { Author, Change, ConfigurationWork } from '../configuration/index.ts';
import { newObject, nextVersion } from '../configuration/index.ts';
import { newId } from '../identity.ts';
import { type Failure, failure, invalid, type Outcome, success } from '../outcome.ts';
import type { Trx } from '../storage/index.ts';
import {
  maxRulesPerSet,
  presentRule,
  presentRuleset,
  type RuleValue,
  ruleIssues,
  type StoredRule,
  type StoredRuleset,
  withDestination,
} from './rules.ts';
import type { ProtectionStore } from './store.ts';

export interface ProtectionChanges {
  readonly store: ProtectionStore;
  readonly author: Author;
  /** whether a site is there to have rules */
  siteExists(trx: Trx, siteId: string): Promise<boolean>;
  /** what of a rule the engine cannot run; empty where it can, or nobody was given who knows */
  checkRule(rule: CustomRuleCreate): readonly Issue[];
}

/** Why a rule cannot be stored: what its fields lack, or that the engine cannot run it safely. @param sent what is new */
export function refusedRule(
  rule: CustomRuleCreate,
  changes: ProtectionChanges,
  sent: object = rule,
): Failure | undefined {
  const issues = ruleIssues(rule, sent);
  if (issues.length > 0) return invalid(issues);
  const unsafe = changes.checkRule(rule);
  return unsafe.length > 0 ? failure('unsafe_pattern', { issues: unsafe }) : undefined;
}

const noSuchSite = invalid([{ path: 'siteId', message: 'There is no such site' }]);

/** The set that a site's custom rules are created into; the first rule makes it. */
async function ownSet(
  trx: Trx,
  changes: ProtectionChanges,
  siteId: string,
  now: number,
): Promise<StoredRuleset> {
  const sets = await changes.store.rulesets.list(trx, siteId);
  const own = sets.find((set) => set.value.origin === 'own');
  if (own) return own;
  const value = { siteId, name: 'Custom rules', status: 'active', origin: 'own' } as const;
  return newObject(newId('rs'), siteId, value, changes.author, now);
}

/** Adds a rule to the site's own ruleset. */
export function ruleCreation(
  changes: ProtectionChanges,
  sent: CustomRuleCreate,
): ConfigurationWork<CustomRule> {
  const { store, author } = changes;
  const body = withDestination(sent);
  return async (trx, now) => {
    const refused = refusedRule(body, changes);
    if (refused) return refused;
    if (!(await changes.siteExists(trx, body.siteId))) return noSuchSite;
    const before = await ownSet(trx, changes, body.siteId, now);
    const rules = await store.rules.list(trx, before.id);
    if (rules.length >= maxRulesPerSet) {
      return failure('conflict', { message: `A ruleset holds ${maxRulesPerSet} rules at most` });
    }
    const known = await store.rulesets.find(trx, before.id);
    const set = known ? nextVersion(known, known.value, author, now) : before;
    const rule = newObject<RuleValue>(newId('rule'), set.id, body, author, now);
    await store.rulesets.save(trx, set);
    await store.rules.save(trx, rule);
    return success({
      value: presentRule(rule),
      action: 'rule.create',
      reason: `Rule "${body.name}" was added`,
      siteId: body.siteId,
      changes: [
        store.rules.change(body.name, null, rule),
        store.rulesets.change(set.value.name, known ?? null, set),
      ],
    });
  };
}

/** The day, and from the second application of a day on also which, so that a list tells them apart. */
function freeName(sets: readonly StoredRuleset[], now: number): string {
  const taken = new Set(sets.map(({ value }) => value.name));
  const day = `Templates of ${new Date(now).toISOString().slice(0, 10)}`;
  let name = day;
  for (let which = 2; taken.has(name); which += 1) name = `${day}, ${which}`;
  return name;
}

/** Copies rules into a new ruleset of a site. */
export function application(
  changes: ProtectionChanges,
  siteId: string,
  copies: readonly RuleValue[],
): ConfigurationWork<Ruleset> {
  const { store, author } = changes;
  return async (trx, now) => {
    if (!(await changes.siteExists(trx, siteId))) return noSuchSite;
    const name = freeName(await store.rulesets.list(trx, siteId), now);
    const value = { siteId, name, status: 'active', origin: 'templates' } as const;
    const set = newObject(newId('rs'), siteId, value, author, now);
    await store.rulesets.save(trx, set);
    const rules: StoredRule[] = [];
    for (const copy of copies) {
      const rule = newObject(newId('rule'), set.id, copy, author, now);
      await store.rules.save(trx, rule);
      rules.push(rule);
    }
    return success({
      value: presentRuleset(set, rules),
      action: 'ruleset.create',
      reason: `${copies.length} template rules were applied`,
      siteId,
      changes: [
        store.rulesets.change(name, null, set),
        ...rules.map((rule) => store.rules.change(rule.value.name, null, rule)),
      ],
    });
  };
}

/** Takes a rule out of its set, whose version rises. */
async function removeRule(
  trx: Trx,
  { store, author }: ProtectionChanges,
  rule: StoredRule,
  now: number,
): Promise<Change<undefined>> {
  const before = await store.rulesets.find(trx, rule.parentId ?? '');
  const after = before && nextVersion(before, before.value, author, now);
  if (after) await store.rulesets.save(trx, after);
  await store.rules.remove(trx, rule.id);
  return {
    value: undefined,
    action: 'rule.delete',
    reason: `Rule "${rule.value.name}" was deleted`,
    siteId: rule.value.siteId,
    changes: [
      store.rules.change(rule.value.name, rule, null),
      ...(before && after ? [store.rulesets.change(before.value.name, before, after)] : []),
    ],
  };
}

/** Removes a rule, or a ruleset with its rules; the id tells which. */
export function protectionRemoval(changes: ProtectionChanges, id: string): ConfigurationWork<undefined> {
  const { store } = changes;
  return async (trx, now): Promise<Outcome<Change<undefined>>> => {
    const rule = await store.rules.find(trx, id);
    if (rule) return success(await removeRule(trx, changes, rule, now));
    const set = await store.rulesets.find(trx, id);
    if (!set) return failure('not_found');
    const rules = await store.rules.list(trx, id);
    for (const one of rules) await store.rules.remove(trx, one.id);
    await store.rulesets.remove(trx, id);
    return success({
      value: undefined,
      action: 'ruleset.delete',
      reason: `Ruleset "${set.value.name}" was deleted with ${rules.length} rules`,
      siteId: set.value.siteId,
      changes: [
        store.rulesets.change(set.value.name, set, null),
        ...rules.map((one) => store.rules.change(one.value.name, one, null)),
      ],
    });
  };
}
