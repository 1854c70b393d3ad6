import { overlay } from '@portcullis/contract/patch';
import {
  type CustomRule,
  type RuleOrRulesetUpdate,
  type Ruleset,
  rulesetStatuses,
} from '@portcullis/contract/protection';
import { z } from 'zod';
import type { ConfigurationWork, EntityChange } from '../configuration/index.ts';
import { nextVersion, staleVersion } from '../configuration/index.ts';
import { issuesOf } from '../http/index.ts';
import { failure, invalid, type Outcome, success } from '../outcome.ts';
import type { Trx } from '../storage/index.ts';
import { type ProtectionChanges, refusedRule } from './changes.ts';
import {
  presentRule,
  presentRuleset,
  type RuleValue,
  SentRule,
  type StoredRule,
  type StoredRuleset,
  withDestination,
} from './rules.ts';

type Patch = z.infer<typeof RuleOrRulesetUpdate>;

/** What a client may change of a ruleset; rules that the list leaves out are removed. */
const RulesetPatch = z.object({
  name: z.string().trim().min(1, 'Name is required').max(200).optional(),
  status: z.enum(rulesetStatuses).optional(),
  rules: z
    .array(z.looseObject({ id: z.string().max(64) }))
    .max(500)
    .optional(),
});

/** Lays a patch over a rule. Its site, set and template are not a client's to change. */
function patchedRule(stored: StoredRule, patch: object, changes: ProtectionChanges): Outcome<RuleValue> {
  const merged = overlay({ ...stored.value }, {
    ...patch,
    siteId: stored.value.siteId,
    templateId: stored.value.templateId,
  } as Record<string, unknown>);
  const parsed = SentRule.safeParse(merged);
  if (!parsed.success) return invalid(issuesOf(parsed.error));
  const rule = withDestination(parsed.data);
  return refusedRule(rule, changes, patch) ?? success(rule);
}

async function updateRule(trx: Trx, changes: ProtectionChanges, rule: StoredRule, patch: Patch, now: number) {
  const { store, author } = changes;
  if (typeof patch['siteId'] === 'string' && patch['siteId'] !== rule.value.siteId) {
    return invalid([{ path: 'siteId', message: 'A rule cannot move to another site' }]);
  }
  const value = patchedRule(rule, patch, changes);
  if (!value.ok) return value;
  const after = nextVersion(rule, value.value, author, now);
  await store.rules.save(trx, after);
  const set = await store.rulesets.find(trx, rule.parentId ?? '');
  const setAfter = set && nextVersion(set, set.value, author, now);
  if (setAfter) await store.rulesets.save(trx, setAfter);
  const { name, siteId } = after.value;
  const same = await store.rules.holds(rule, value.value);
  return success({
    value: presentRule(same ? rule : after) as CustomRule | Ruleset,
    same,
    action: 'rule.update' as const,
    reason: `Rule "${name}" was changed`,
    siteId,
    changes: [
      store.rules.change(name, rule, after),
      ...(set && setAfter ? [store.rulesets.change(set.value.name, set, setAfter)] : []),
    ],
  });
}

/** Brings the rules of a set to the list that a client sent: patches what it names, removes what it leaves out. */
async function alignRules(
  trx: Trx,
  changes: ProtectionChanges,
  set: StoredRuleset,
  sent: readonly { readonly id: string }[],
  now: number,
): Promise<Outcome<{ rules: StoredRule[]; changed: EntityChange[] }>> {
  const { store, author } = changes;
  const before = await store.rules.list(trx, set.id);
  const patches = new Map(sent.map((patch) => [patch.id, patch]));
  const known = new Set(before.map((rule) => rule.id));
  const unknown = sent.findIndex((patch) => !known.has(patch.id));
  if (unknown !== -1) return invalid([{ path: `rules.${unknown}.id`, message: 'This set has no such rule' }]);
  const rules: StoredRule[] = [];
  const changed: EntityChange[] = [];
  for (const rule of before) {
    const patch = patches.get(rule.id);
    if (!patch) {
      await store.rules.remove(trx, rule.id);
      changed.push(store.rules.change(rule.value.name, rule, null));
      continue;
    }
    const value = patchedRule(rule, patch, changes);
    if (!value.ok) return value;
    const same = JSON.stringify(value.value) === JSON.stringify(rule.value);
    const after = same ? rule : nextVersion(rule, value.value, author, now);
    rules.push(after);
    if (same) continue;
    await store.rules.save(trx, after);
    changed.push(store.rules.change(after.value.name, rule, after));
  }
  return success({ rules, changed });
}

async function updateRuleset(
  trx: Trx,
  changes: ProtectionChanges,
  set: StoredRuleset,
  patch: Patch,
  now: number,
) {
  const parsed = RulesetPatch.safeParse(patch);
  if (!parsed.success) return invalid(issuesOf(parsed.error));
  const { name = set.value.name, status = set.value.status, rules: sent } = parsed.data;
  const present = sent ?? (await changes.store.rules.list(trx, set.id)).map(({ id }) => ({ id }));
  const aligned = await alignRules(trx, changes, set, present, now);
  if (!aligned.ok) return aligned;
  const after = nextVersion(set, { ...set.value, name, status }, changes.author, now);
  await changes.store.rulesets.save(trx, after);
  const { rules, changed } = aligned.value;
  const same = changed.length === 0 && (await changes.store.rulesets.holds(set, after.value));
  return success({
    value: presentRuleset(same ? set : after, rules) as CustomRule | Ruleset,
    same,
    action: 'ruleset.update' as const,
    reason: `Ruleset "${name}" was changed`,
    siteId: set.value.siteId,
    changes: [changes.store.rulesets.change(name, set, after), ...changed],
  });
}

/** Changes a rule or a ruleset, or only its status; the id tells which. A stale version is refused. */
export function protectionUpdate(
  changes: ProtectionChanges,
  id: string,
  patch: Patch,
): ConfigurationWork<CustomRule | Ruleset> {
  return async (trx, now) => {
    const rule = await changes.store.rules.find(trx, id);
    if (rule) {
      const stale = await staleVersion(trx, { ...rule, kind: changes.store.rules.kind }, patch.version);
      return stale ?? updateRule(trx, changes, rule, patch, now);
    }
    const set = await changes.store.rulesets.find(trx, id);
    if (!set) return failure('not_found');
    const stale = await staleVersion(trx, { ...set, kind: changes.store.rulesets.kind }, patch.version);
    return stale ?? updateRuleset(trx, changes, set, patch, now);
  };
}
