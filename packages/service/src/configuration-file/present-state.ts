import type { AddressListCreate } from '@portcullis/contract/access';
import type { Site } from '@portcullis/contract/sites';
import { listAt } from '../access/index.ts';
import type { StoredObject } from '../configuration/index.ts';
import type { StoredRule, StoredRuleset } from '../protection/index.ts';
import type { Trx } from '../storage/index.ts';
import type { StoredConfiguration } from '../stored-configuration.ts';

/** What stands in storage now, which a file is compared with. */
export interface PresentState {
  readonly sites: readonly Site[];
  readonly rulesets: readonly StoredRuleset[];
  readonly rules: readonly StoredRule[];
  readonly lists: readonly StoredObject<AddressListCreate>[];
}

export async function readPresentState(
  { sites, protection, addressLists }: StoredConfiguration,
  trx: Trx,
  now: number,
): Promise<PresentState> {
  return {
    sites: await sites.all(trx),
    rulesets: await protection.rulesets.list(trx),
    rules: await protection.rules.list(trx),
    lists: (await addressLists.list(trx)).map((list) => listAt(list, now)),
  };
}
