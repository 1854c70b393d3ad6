import { endpoints } from '@portcullis/contract/api';
import type { Certificate } from '@portcullis/contract/certificates';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/index.ts';

/** The certificate of each site that has one, or that one is being asked for. */
export const certificatesQuery = queryOptions({
  queryKey: ['certificates'],
  queryFn: ({ signal }): Promise<Certificate[]> => call(endpoints.certificates.list, {}, signal),
});

/** As browsers read it, RFC 9525 §6.3: a wildcard stands for one label. */
const isFor = (name: string, domain: string): boolean =>
  name === domain || (name.startsWith('*.') && name.slice(1) === domain.slice(domain.indexOf('.')));

/** @returns the certificate that gateways answer with for all of some domains, whichever site it was made for */
export function lender(
  certificates: readonly Certificate[] | undefined,
  domains: readonly string[],
  now: number,
): Certificate | undefined {
  const wanted = domains.map((domain) => domain.trim().toLowerCase()).filter((domain) => domain !== '');
  if (wanted.length === 0) return undefined;
  return certificates?.find(
    (one) =>
      (daysLeft(one, now) ?? -1) >= 0 &&
      wanted.every((domain) => one.domains.some((name) => isFor(name.toLowerCase(), domain))),
  );
}

const dayMs = 86_400_000;

/** @returns whole days until it ends, negative afterwards; undefined where none was issued */
export function daysLeft(certificate: Pick<Certificate, 'notAfter'>, now: number): number | undefined {
  return certificate.notAfter === undefined
    ? undefined
    : Math.floor((Date.parse(certificate.notAfter) - now) / dayMs);
}
