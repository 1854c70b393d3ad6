import type { Certificate } from '@portcullis/contract/certificates';
import type { Site } from '@portcullis/contract/sites';

/** A site with its certificate, or the want of one. */
export interface Holder {
  siteId: string;
  /** absent for one that was deleted meanwhile */
  site: Site | undefined;
  certificate: Certificate | undefined;
}

/** @returns every site that has a certificate or answers over HTTPS and so needs one, in the order of the sites */
export function holdersOf(sites: readonly Site[], certificates: readonly Certificate[]): Holder[] {
  const bySite = new Map(certificates.map((one) => [one.siteId, one]));
  const known = new Set(sites.map(({ id }) => id));
  const held = sites
    .map((site): Holder => ({ siteId: site.id, site, certificate: bySite.get(site.id) }))
    .filter(({ site, certificate }) => certificate !== undefined || site?.ssl?.enabled === true);
  const orphans = certificates.filter(({ siteId }) => !known.has(siteId));
  return [
    ...held,
    ...orphans.map((certificate) => ({ siteId: certificate.siteId, site: undefined, certificate })),
  ];
}

/** @returns the domains that the authority can be shown over HTTP: no wildcards (RFC 8555 §8.3) */
export const provableDomains = (site: Pick<Site, 'domains'>): string[] =>
  site.domains.filter((domain) => !domain.includes('*'));

/** @returns whether the last attempt to issue failed, whatever is still in force */
export const lastAttemptFailed = (certificate: Certificate): boolean =>
  certificate.steps.at(-1)?.status === 'failed';
