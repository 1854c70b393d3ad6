import { setTimeout as delay } from 'node:timers/promises';
import type { IssueStep } from '@portcullis/contract/certificates';
import type { Site } from '@portcullis/contract/sites';
import acme from 'acme-client';
import {
  type Author,
  type Configuration,
  newObject,
  nextVersion,
  type ObjectStore,
  type StoredObject,
} from '../configuration/index.ts';
import type { GatewayRegistry } from '../gateways/index.ts';
import { newId } from '../identity.ts';
import type { Log } from '../log.ts';
import { failure, success } from '../outcome.ts';
import type { Sealer } from '../sealing/index.ts';
import { insertSetting, readSetting, writeSetting } from '../settings/index.ts';
import type { SiteRepository } from '../sites/index.ts';
import type { Storage } from '../storage/index.ts';
import { type AcmeAuthority, type Issued, orderCertificate } from './acme-order.ts';
import { factsOf, namesCover, readChain } from './read-chain.ts';
import { nextAttempt, renewalTime, retryTime } from './schedule.ts';
import { keyPurpose, type OpenChallenge, opensKey, type StoredCertificate } from './stored.ts';
import { UnderWay } from './under-way.ts';

export interface IssuerParts {
  readonly storage: Storage;
  readonly configuration: Configuration;
  readonly sealer: Sealer;
  readonly certificates: ObjectStore<StoredCertificate>;
  readonly challenges: ObjectStore<OpenChallenge>;
  readonly sites: SiteRepository;
  readonly gateways: GatewayRegistry;
  readonly authority: AcmeAuthority;
  readonly now: () => number;
  readonly log: Log;
}

type IssuedObject = StoredObject<StoredCertificate> | undefined;

/** Gets certificates for sites that want automatic ones, and renews them in time. */
export interface Issuer {
  /** Issues what is due, one after the other. */
  issueDue(): Promise<void>;
  /**
   * Issues for one site whatever is due. @returns what is stored afterwards, undefined where the site was deleted
   * meanwhile; never rejects for the authority's sake
   * @param by who asked; left out, nobody did: it was due
   */
  issue(site: Site, by?: Author): Promise<IssuedObject>;
  /** the steps so far of each attempt that is under way, here and on other services */
  readonly underWay: UnderWay;
}

const accountSetting = 'acme_account';
const accountPurpose = 'acme-account';
/** Who issues what is due, in the history. */
const nobody: Author = { email: 'portcullis', ip: '' };

/** How long gateways may take to have an answer to a challenge before the authority is told to look. */
const settleMs = 5000;

/** How often who waits for another service's attempt looks whether it is over. */
const lookAgainMs = 250;

/** Names that HTTP-01 can prove: no wildcards, which need DNS (RFC 8555 §7.1.3 with Let's Encrypt's rules). */
export const provableDomains = (site: Pick<Site, 'domains'>): string[] =>
  site.domains.filter((domain) => !domain.includes('*'));

/**
 * @param opens whether the key of a stored one can be opened: without the sealing key, as after a restore that lacks
 * it, nobody can serve it
 * @returns whether a site's certificate is to be issued or renewed now
 */
export function isDue(site: Site, stored: StoredCertificate | undefined, now: number, opens = true): boolean {
  if (!site.enabled || !site.ssl.enabled || !site.ssl.autoCert) return false;
  if (stored === undefined) return true;
  // An uploaded certificate counts until it is taken away.
  if (stored.source === 'uploaded') return false;
  if ((nextAttempt(stored, now) ?? now) <= now) return true;
  const [leaf] = stored.failures > 0 || stored.chain === '' ? [] : readChain(stored.chain);
  if (leaf === undefined) return false;
  if (!opens) return true;
  const names = new Set(factsOf(leaf).domains);
  return !provableDomains(site).every((domain) => namesCover(names, domain));
}

export function createIssuer(parts: IssuerParts): Issuer {
  const running = new Map<string, Promise<IssuedObject>>();
  const underWay = new UnderWay();
  const begin = (site: Site, author: Author) => {
    underWay.here(site.id, []);
    return issueFor({ ...parts, author }, site, (done) => underWay.here(site.id, done)).finally(() => {
      running.delete(site.id);
      underWay.here(site.id, undefined);
    });
  };
  /** Two attempts at once would take each other's answers away. */
  const afterOthers = async (site: Site, author: Author) => {
    while (underWay.isElsewhere(site.id)) await delay(lookAgainMs);
    const stored = await parts.certificates.list(parts.storage.read, site.id);
    return stored[0] ?? begin(site, author);
  };
  const issuer: Issuer = {
    async issueDue() {
      const stored = await parts.certificates.list(parts.storage.read);
      for (const site of parts.configuration.current().sites) {
        const own = stored.find((one) => one.parentId === site.id);
        const opens = own !== undefined && opensKey(own.value, parts.sealer);
        if (isDue(site, own?.value, parts.now(), opens) && !underWay.isElsewhere(site.id))
          await issuer.issue(site);
      }
    },
    issue(site, by = nobody) {
      const known = running.get(site.id);
      if (known) return known;
      if (underWay.isElsewhere(site.id)) return afterOthers(site, by);
      const begun = begin(site, by);
      running.set(site.id, begun);
      return begun;
    },
    underWay,
  };
  return issuer;
}

/** What one attempt works with. */
interface AttemptParts extends IssuerParts {
  readonly author: Author;
}

type Watch = (steps: readonly IssueStep[]) => void;

async function issueFor(parts: AttemptParts, site: Site, onStep: Watch): Promise<IssuedObject> {
  const issued = await attempt(parts, site, onStep);
  const last = issued.steps.at(-1);
  if (!issued.ok) parts.log.warn(`No certificate for ${site.name}`, { reason: last?.detail ?? '' });
  return store(parts, site, issued);
}

async function attempt(parts: AttemptParts, site: Site, onStep: Watch): Promise<Issued> {
  const domains = provableDomains(site);
  if (domains.length === 0) {
    const detail =
      'The site has no domain that HTTP validation can prove; wildcards need an uploaded certificate';
    return {
      ok: false,
      steps: [{ step: 'order', status: 'failed', detail, time: new Date(parts.now()).toISOString() }],
    };
  }
  return orderCertificate({
    authority: parts.authority,
    accountKey: await accountKey(parts),
    domains,
    now: parts.now,
    publish: (token, keyAuthorization) => publish(parts, site, { token, keyAuthorization }),
    onStep,
  });
}

async function accountKey({ storage, sealer, now }: IssuerParts): Promise<string> {
  const sealed = await readSetting(storage.db, accountSetting);
  const known = sealed === undefined ? undefined : sealer.open(sealed, accountPurpose);
  if (known !== undefined) return known;
  const made = (await acme.crypto.createPrivateEcdsaKey()).toString();
  const own = sealer.seal(made, accountPurpose);
  if (sealed === undefined) {
    // Another service may ask for its first certificate at this moment: then the account is the one of both.
    return sealer.open(await insertSetting(storage.db, accountSetting, own, now()), accountPurpose) ?? made;
  }
  await writeSetting(storage.db, accountSetting, own, now());
  return made;
}

/** Puts an answer into every gateway. @returns in words which of them have it not, and why; undefined where all have */
async function publish(
  parts: AttemptParts,
  site: Site,
  challenge: OpenChallenge,
): Promise<string | undefined> {
  const { configuration, challenges, sites, gateways, author } = parts;
  const published = await configuration.change(author, async (trx, now) => {
    if (!(await sites.find(trx, site.id))) return failure('not_found');
    await challenges.save(trx, newObject(newId('challenge'), site.id, challenge, author, now));
    return success({
      value: undefined,
      action: 'certificate.prove',
      reason: `Gateways answer the authority for a certificate of ${site.name}`,
      siteId: site.id,
      changes: [],
    });
  });
  if (!published.ok) throw new Error('The site was deleted');
  const { version } = configuration.current();
  const deadline = performance.now() + settleMs;
  const refused = () => new Map(gateways.refusalsOf(version).map(({ gateway, reason }) => [gateway, reason]));
  const behind = () =>
    gateways
      .alive()
      .filter(({ gatewayId, configVersion = 0 }) => configVersion < version && !refused().has(gatewayId));
  while (behind().length > 0 && performance.now() < deadline) await delay(100);
  const missing = [
    ...[...refused()].map(
      ([gateway, reason]) => `${gateway} refuses the configuration with the answer: ${reason}`,
    ),
    ...behind().map(({ gatewayId }) => `${gatewayId} has not taken the answer yet`),
  ];
  return missing.length > 0 ? missing.join('; ') : undefined;
}

/**
 * Keeps the new certificate, or on a failure the last good one with what went wrong; ends the challenges. Of a site that
 * was deleted while the authority worked nothing is kept: nobody could see it, and gateways would serve it.
 */
async function store(parts: AttemptParts, site: Site, issued: Issued): Promise<IssuedObject> {
  const { configuration, certificates, challenges, sites, author } = parts;
  const outcome = await configuration.change(author, async (trx, now) => {
    if (!(await sites.find(trx, site.id))) return failure('not_found');
    for (const open of await challenges.list(trx, site.id)) await challenges.remove(trx, open.id);
    const [before] = await certificates.list(trx, site.id);
    const value = next(parts, before?.value, issued, now);
    const after = before
      ? nextVersion(before, value, author, now)
      : newObject(newId('certificate'), site.id, value, author, now);
    await certificates.save(trx, after);
    return success({
      value: after,
      action: issued.ok ? 'certificate.issue' : 'certificate.fail',
      reason: issued.ok
        ? `A certificate was issued for ${site.name}`
        : `No certificate for ${site.name}: ${issued.steps.at(-1)?.detail ?? ''}`,
      siteId: site.id,
      // No values: a private key has no place in the history, sealed or not.
      changes: [],
    });
  });
  if (outcome.ok) return outcome.value;
  if (outcome.code === 'not_found') return undefined;
  throw new Error(`A certificate could not be stored: ${outcome.code}`);
}

function next(
  { sealer }: IssuerParts,
  before: StoredCertificate | undefined,
  issued: Issued,
  now: number,
): StoredCertificate {
  const { steps } = issued;
  if (!issued.ok) {
    const failures = (before?.failures ?? 0) + 1;
    const kept = before ?? { source: 'acme' as const, chain: '', sealedKey: '' };
    const again = retryTime(now, failures, Math.random(), issued.waitMs);
    return { ...kept, steps, failures, nextAttemptAt: again };
  }
  const [leaf] = readChain(issued.chain);
  if (!leaf) throw new Error('The authority sent no certificate');
  const { notBefore, notAfter } = factsOf(leaf);
  return {
    source: 'acme',
    chain: issued.chain,
    sealedKey: sealer.seal(issued.privateKey, keyPurpose),
    steps,
    failures: 0,
    nextAttemptAt: renewalTime(notBefore.getTime(), notAfter.getTime(), Math.random()),
  };
}
