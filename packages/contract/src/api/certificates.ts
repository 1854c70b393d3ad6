import { z } from 'zod';
import { Certificate, CertificateUpload } from '../certificates/index.ts';
import { endpoint } from './endpoint.ts';

const params = z.object({ id: z.string().max(64) });

export const certificateEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/certificates',
    access: { anyOf: ['site:view'] },
    summary: 'All certificates, with the steps of the last attempt to issue each',
    response: z.array(Certificate),
  }),
  upload: endpoint({
    method: 'PUT',
    path: '/sites/{id}/certificate',
    access: { anyOf: ['site:update'] },
    summary: 'Uploads a chain and its key for a site; all that is wrong with them is told at once',
    params,
    body: CertificateUpload,
    response: Certificate,
  }),
  issue: endpoint({
    method: 'POST',
    path: '/sites/{id}/certificate/issue',
    access: { anyOf: ['site:update'] },
    summary: 'Asks the authority for a certificate now instead of at the next due time',
    params,
    response: Certificate,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/sites/{id}/certificate',
    access: { anyOf: ['site:update'] },
    summary: 'Deletes the certificate of a site',
    params,
  }),
} as const;
