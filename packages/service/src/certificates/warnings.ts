import type { Site } from '@portcullis/contract/sites';
import type { StoredObject } from '../configuration/index.ts';
import type { Log } from '../log.ts';
import { type ChainFacts, factsOf, namesCover, readChain } from './read-chain.ts';
import { isEnding, maxAheadMs, nextAttempt } from './schedule.ts';
import type { StoredCertificate } from './stored.ts';

/** Why a certificate asks for attention; of those that hold, the gravest. */
export type CertificateWarningCode = 'expired' | 'unusable' | 'names' | 'ending' | 'renewal';

/** What an operator is told of the certificate of a site. */
export interface CertificateWarning {
  readonly siteId: string;
  readonly siteName: string;
  readonly domain: string;
  readonly code: CertificateWarningCode;
  /** what goes after its name */
  readonly text: string;
}

const hourMs = 3_600_000;
const longestReason = 300;

const day = (time: Date) => time.toISOString().slice(0, 10);

/** What its order last failed at, in the authority's words. */
const reasonOf = ({ steps }: StoredCertificate) =>
  (steps.at(-1)?.detail ?? 'no step was kept').slice(0, longestReason);

type Guarded = Pick<Site, 'id' | 'name' | 'domains' | 'enabled' | 'ssl'>;

const warnerOf =
  ({ id, name, domains }: Guarded) =>
  (code: CertificateWarningCode, text: string): CertificateWarning => ({
    ...{ siteId: id, siteName: name, domain: domains[0] ?? '' },
    ...{ code, text },
  });

/** @returns undefined where it was not issued yet */
export function issuedFacts({ chain }: StoredCertificate): ChainFacts | undefined {
  const [leaf] = chain === '' ? [] : readChain(chain);
  return leaf && factsOf(leaf);
}

/**
 * That a site's visitors get a certificate of another name, or none: domains came that an uploaded one is not for, or
 * HTTPS was switched on without one. Where certificates are asked for, the order tells how it stands.
 * @param own of the site
 * @param names that any certificate here is for: gateways take the one that fits, whosever it is
 */
export function namesWarning(
  site: Guarded,
  own: StoredCertificate | undefined,
  names: ReadonlySet<string>,
): CertificateWarning | undefined {
  if (!site.enabled || !site.ssl.enabled) return undefined;
  if (site.ssl.autoCert && own?.source !== 'uploaded') return undefined;
  const uncovered = site.domains.filter((domain) =>
    domain === '*' ? own === undefined : !namesCover(names, domain),
  );
  if (uncovered.length === 0) return undefined;
  const whom = uncovered.map((domain) => (domain === '*' ? 'any other host' : domain)).join(', ');
  return warnerOf(site)('names', `HTTPS is on and none is for ${whom}`.slice(0, longestReason));
}

/** A certificate with what its chain says. */
export interface Looked {
  readonly stored: StoredCertificate;
  readonly facts: ChainFacts | undefined;
}

/**
 * @param opens whether its private key can be opened
 * @returns undefined where nobody has to look, such as where the site serves no HTTPS
 */
export function certificateWarning(
  site: Guarded,
  { stored, facts }: Looked,
  opens: boolean,
  now: number,
): CertificateWarning | undefined {
  if (!site.enabled || !site.ssl.enabled) return undefined;
  const warn = warnerOf(site);
  const failed = stored.failures > 0;
  if (facts === undefined)
    return failed ? warn('unusable', `none could be issued. ${reasonOf(stored)}`) : undefined;
  if (!opens) return warn('unusable', 'its private key cannot be opened with the key of this installation');
  const { notBefore, notAfter } = facts;
  if (notAfter.getTime() <= now) return warn('expired', `it ended on ${day(notAfter)}`);
  if (notBefore.getTime() > now + maxAheadMs) return warn('unusable', `it begins on ${day(notBefore)}`);
  const renewal = failed ? `. It could not be renewed: ${reasonOf(stored)}` : '';
  // What is renewed when its time comes is not the operator's to do.
  const renewsAt = site.ssl.autoCert && !failed ? nextAttempt(stored, now) : undefined;
  const isPlanned = renewsAt !== undefined && renewsAt + hourMs > now;
  if (isEnding(notBefore.getTime(), notAfter.getTime(), now) && !isPlanned)
    return warn('ending', `it ends on ${day(notAfter)}${renewal}`);
  return failed
    ? warn('renewal', `it could not be renewed and ends on ${day(notAfter)}. ${reasonOf(stored)}`)
    : undefined;
}

export interface CertificateWatchParts {
  readonly now: () => number;
  readonly log: Log;
  sites(): readonly Guarded[];
  stored(): Promise<readonly StoredObject<StoredCertificate>[]>;
  /** whether a private key can be opened */
  opens(stored: StoredCertificate): boolean;
}

/** Chains are read anew so often: their ends come near slowly, and what an order came to is not urgent. */
const everyMs = 10_000;

/** What all certificates ask for, as far as it was read. */
export class CertificateWatch {
  readonly #parts: CertificateWatchParts;
  #warnings: readonly CertificateWarning[] = [];
  /** by object and version, for a chain costs far more to parse than to read */
  #facts: ReadonlyMap<string, ChainFacts | undefined> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(parts: CertificateWatchParts) {
    this.#parts = parts;
  }

  /** What was known last; has it read again where that is some time ago. */
  warnings(): readonly CertificateWarning[] {
    if (performance.now() - this.#readAt >= everyMs) void this.read();
    return this.#warnings;
  }

  /** Never rejects: what cannot be read now stays as it was known. */
  read(): Promise<void> {
    const { log } = this.#parts;
    this.#reading ??= this.#read()
      .catch((error) => log.error('Certificates could not be looked at', { reason: String(error) }))
      .finally(() => {
        this.#readAt = performance.now();
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const { now, sites, stored, opens } = this.#parts;
    const bySite = new Map<string | null, Looked>();
    const facts = new Map<string, ChainFacts | undefined>();
    for (const { id, version, parentId, value } of await stored()) {
      const key = `${id} ${version}`;
      const known = this.#facts.has(key) ? this.#facts.get(key) : issuedFacts(value);
      facts.set(key, known);
      bySite.set(parentId, { stored: value, facts: known });
    }
    this.#facts = facts;
    const names = new Set([...bySite.values()].flatMap((looked) => looked.facts?.domains ?? []));
    this.#warnings = sites().flatMap((site) => {
      const own = bySite.get(site.id);
      const warning = own && certificateWarning(site, own, opens(own.stored), now());
      const isGraver = warning?.code === 'expired' || warning?.code === 'unusable';
      return (isGraver ? warning : (namesWarning(site, own?.stored, names) ?? warning)) ?? [];
    });
  }
}
