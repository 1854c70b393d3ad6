import type { AddressListCreate } from '@portcullis/contract/access';
import { addressListStore, presentAddressList } from './access/index.ts';
import {
  certificateStore,
  challengeStore,
  type OpenChallenge,
  type StoredCertificate,
  servedCertificate,
} from './certificates/index.ts';
import { type EntityChange, newObject, type ObjectStore, type SnapshotParts } from './configuration/index.ts';
import { readGatewaySecrets } from './gateway-secrets/index.ts';
import { newId } from './identity.ts';
import { ProtectionStore, presentRule } from './protection/index.ts';
import type { Sealer } from './sealing/index.ts';
import { readSettings } from './settings/index.ts';
import { type RulesCopy, SiteRepository } from './sites/index.ts';
import type { Db, Trx } from './storage/index.ts';

/** Where each noun of the configuration is stored. */
export interface StoredConfiguration {
  readonly sites: SiteRepository;
  readonly protection: ProtectionStore;
  readonly addressLists: ObjectStore<AddressListCreate>;
  readonly certificates: ObjectStore<StoredCertificate>;
  readonly challenges: ObjectStore<OpenChallenge>;
}

export function storedConfiguration(): StoredConfiguration {
  return {
    sites: new SiteRepository(),
    protection: new ProtectionStore(),
    addressLists: addressListStore(),
    certificates: certificateStore(),
    challenges: challengeStore(),
  };
}

/** Gives a site copies of another's rulesets and rules, with the age that rules of one severity are decided by. */
export async function copyRules(
  { protection }: StoredConfiguration,
  trx: Trx,
  { from, to, author, now }: RulesCopy,
): Promise<EntityChange[]> {
  const changes: EntityChange[] = [];
  for (const { set, rules } of await protection.ofSite(trx, from)) {
    const copy = newObject(newId('rs'), to, { ...set.value, siteId: to }, author, now);
    await protection.rulesets.save(trx, copy);
    changes.push(protection.rulesets.change(copy.value.name, null, copy));
    for (const { value, createdAt } of rules) {
      const rule = newObject(newId('rule'), copy.id, { ...value, siteId: to }, author, now);
      const aged = { ...rule, createdAt };
      await protection.rules.save(trx, aged);
      changes.push(protection.rules.change(value.name, null, aged));
    }
  }
  return changes;
}

/** Takes out the rulesets, rules and lists of a site, and tells what they were. */
export async function removeDependents(
  { protection, addressLists, certificates, challenges }: StoredConfiguration,
  trx: Trx,
  siteId: string,
): Promise<EntityChange[]> {
  const changes: EntityChange[] = [];
  for (const { set, rules } of await protection.ofSite(trx, siteId)) {
    for (const rule of rules) {
      await protection.rules.remove(trx, rule.id);
      changes.push(protection.rules.change(rule.value.name, rule, null));
    }
    await protection.rulesets.remove(trx, set.id);
    changes.push(protection.rulesets.change(set.value.name, set, null));
  }
  for (const list of await addressLists.list(trx, siteId)) {
    await addressLists.remove(trx, list.id);
    changes.push(addressLists.change(list.value.name, list, null));
  }
  // Not told of: a private key has no place in the history.
  for (const one of await certificates.list(trx, siteId)) await certificates.remove(trx, one.id);
  for (const one of await challenges.list(trx, siteId)) await challenges.remove(trx, one.id);
  return changes;
}

/** Reads what gateways serve by: every site with what is in force on it, lists and settings. */
export async function readSnapshotParts(
  stored: StoredConfiguration,
  sealer: Sealer,
  db: Db | Trx,
): Promise<SnapshotParts> {
  const rules = await stored.protection.inForce(db);
  const lists = await stored.addressLists.list(db);
  const { timezone: _, ...general } = await readSettings(db, 'general');
  return {
    sites: (await stored.sites.all(db)).map((site) => ({
      ...site,
      rules: (rules.get(site.id) ?? []).map(presentRule),
    })),
    general,
    security: await readSettings(db, 'security'),
    addressLists: lists.filter(({ value }) => value.enabled).map(presentAddressList),
    certificates: (await stored.certificates.list(db)).flatMap((one) => servedCertificate(one, sealer) ?? []),
    acmeChallenges: (await stored.challenges.list(db)).map(({ value }) => value),
    secrets: await readGatewaySecrets(db, sealer),
  };
}
