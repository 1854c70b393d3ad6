import { type ConfigurationDocument, documentVersion } from '@portcullis/contract/configuration';
import { listAt } from '../access/index.ts';
import { presentCertificate } from '../certificates/index.ts';
import { readNotificationSettings } from '../notifications/index.ts';
import type { Sealer } from '../sealing/index.ts';
import { readSettings } from '../settings/index.ts';
import type { Db, Trx } from '../storage/index.ts';
import type { StoredConfiguration } from '../stored-configuration.ts';

type DocumentSite = NonNullable<ConfigurationDocument['sites']>[number];
type DocumentRuleset = DocumentSite['rulesets'][number];

async function rulesetsOf({ protection }: StoredConfiguration, db: Db | Trx, siteId: string) {
  return (await protection.ofSite(db, siteId)).map(({ set, rules }): DocumentRuleset => {
    const { name, status, origin } = set.value;
    return {
      id: set.id,
      name,
      status,
      own: origin === 'own',
      rules: rules.map(({ id, value: { siteId: _site, ...rule } }) => ({ id, ...rule })),
    };
  });
}

async function sitesOf(stored: StoredConfiguration, db: Db | Trx, now: number): Promise<DocumentSite[]> {
  const certificates = await stored.certificates.list(db);
  const sites = await stored.sites.all(db);
  const described: DocumentSite[] = [];
  for (const site of sites) {
    const { id, version: _v, created_at: _c, updated_at: _u, ...config } = site;
    const kept = certificates.find((one) => one.parentId === id && one.value.chain !== '');
    const certificate = kept && presentCertificate(kept, now);
    described.push({
      id,
      ...config,
      ...(certificate && {
        certificate: {
          source: certificate.source,
          domains: certificate.domains,
          fingerprint: certificate.fingerprint,
          ...(certificate.notAfter !== undefined && { notAfter: certificate.notAfter }),
        },
      }),
      rulesets: await rulesetsOf(stored, db, id),
    });
  }
  return described;
}

/** The whole stored configuration as one document, without secrets. */
export async function composeDocument(
  stored: StoredConfiguration,
  sealer: Sealer,
  db: Db | Trx,
  now: number,
): Promise<ConfigurationDocument> {
  const { settings: notifications } = await readNotificationSettings(db, sealer);
  const { key: _key, keySet: _keySet, ...email } = notifications.email;
  const { webhookUrl: _url, webhookUrlSet: _urlSet, ...slack } = notifications.slack;
  const { enabled: webhookEnabled } = notifications.webhook;
  const lists = (await stored.addressLists.list(db)).map((list) => listAt(list, now));
  const sites = await sitesOf(stored, db, now);
  // By name, which says more to a reader of the file than an id.
  const nameOf = (siteId: string) => sites.find(({ id }) => id === siteId)?.domains[0] ?? siteId;
  return {
    portcullis: documentVersion,
    settings: {
      general: await readSettings(db, 'general'),
      security: await readSettings(db, 'security'),
      notifications: { ...notifications, email, slack, webhook: { enabled: webhookEnabled } },
    },
    sites,
    address_lists: lists.map(({ id, value: { siteId, ...list } }) => ({
      id,
      ...list,
      ...(siteId !== undefined && { site: nameOf(siteId) }),
    })),
  };
}
