import { ObjectStore } from '../configuration/index.ts';
import type { Db, Trx } from '../storage/index.ts';
import { RulesetValue, RuleValue, rulesInForce, type StoredRule, type StoredRuleset } from './rules.ts';

/** The stored rulesets and rules. */
export class ProtectionStore {
  readonly rulesets = new ObjectStore<RulesetValue>('ruleset', RulesetValue);
  readonly rules = new ObjectStore<RuleValue>('rule', RuleValue);

  /** A site's rulesets with their rules, oldest first. */
  async ofSite(db: Db | Trx, siteId: string): Promise<{ set: StoredRuleset; rules: StoredRule[] }[]> {
    const sets = await this.rulesets.list(db, siteId);
    return Promise.all(sets.map(async (set) => ({ set, rules: await this.rules.list(db, set.id) })));
  }

  /** The rulesets of every site with their rules, oldest first. */
  async all(db: Db | Trx): Promise<{ set: StoredRuleset; rules: StoredRule[] }[]> {
    const sets = await this.rulesets.list(db);
    const rules = Map.groupBy(await this.rules.list(db), ({ parentId }) => parentId);
    return sets.map((set) => ({ set, rules: rules.get(set.id) ?? [] }));
  }

  /** What gateways get, by site. */
  async inForce(db: Db | Trx): Promise<Map<string, StoredRule[]>> {
    const sets = await this.rulesets.list(db);
    return Map.groupBy(rulesInForce(sets, await this.rules.list(db)), (rule) => rule.value.siteId);
  }
}
