import { endpoints } from '@portcullis/contract/api';
import type { Certificate } from '@portcullis/contract/certificates';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/index.ts';

/** The certificate of each site that has one, or that one is being asked for. */
export const certificatesQuery = queryOptions({
  queryKey: ['certificates'],
  queryFn: ({ signal }): Promise<Certificate[]> => call(endpoints.certificates.list, {}, signal),
});

const dayMs = 86_400_000;

/** @returns whole days until it ends, negative afterwards; undefined where none was issued */
export function daysLeft(certificate: Pick<Certificate, 'notAfter'>, now: number): number | undefined {
  return certificate.notAfter === undefined
    ? undefined
    : Math.floor((Date.parse(certificate.notAfter) - now) / dayMs);
}
