import { endpoints } from '@portcullis/contract/api';
import type { CertificateUpload } from '@portcullis/contract/certificates';
import type { FastifyInstance } from 'fastify';
import {
  type Author,
  type ConfigurationWork,
  newObject,
  nextVersion,
  type StoredObject,
} from '../configuration/index.ts';
import { serve } from '../http/index.ts';
import { newId } from '../identity.ts';
import { failure, invalid, success } from '../outcome.ts';
import type { SiteRepository } from '../sites/index.ts';
import { checkUpload } from './check-upload.ts';
import { type Issuer, type IssuerParts, provableDomains } from './issuer.ts';
import { presentCertificate, presentCertificates } from './present.ts';
import { certificatesOf } from './read-chain.ts';
import { askableFrom } from './schedule.ts';
import { keyPurpose, type StoredCertificate } from './stored.ts';

export interface CertificateParts
  extends Pick<IssuerParts, 'storage' | 'configuration' | 'sealer' | 'certificates' | 'now'> {
  readonly sites: SiteRepository;
  readonly issuer: Issuer;
}

/** GET /certificates; PUT and DELETE /sites/{id}/certificate; POST /sites/{id}/certificate/issue. */
export function certificateRoutes(app: FastifyInstance, parts: CertificateParts): void {
  const { storage, configuration, certificates, sealer, sites, issuer, now } = parts;
  const calls = endpoints.certificates;

  serve(app, calls.list, async () => {
    const stored = await certificates.list(storage.read);
    return success(presentCertificates(stored, issuer.underWay.all(), now(), sealer));
  });

  serve(app, calls.upload, async ({ params, body, actor, ip }) => {
    const author = { email: actor.email, ip };
    const done = await configuration.change(author, upload(parts, author, params.id, body));
    return done.ok ? success(presentCertificate(done.value, now())) : done;
  });

  serve(app, calls.issue, async ({ params, actor, ip }) => {
    const found = await sites.find(storage.read, params.id);
    if (!found) return failure('not_found');
    if (provableDomains(found.site).length === 0)
      return invalid([{ path: 'domains', message: 'Wildcards need an uploaded certificate' }]);
    const [stored] = await certificates.list(storage.read, params.id);
    const from = stored ? askableFrom(stored.value, now()) : now();
    if (from > now()) {
      const message = `The last attempt failed. Try again from ${new Date(from).toISOString()} on`;
      return failure('too_many_requests', { message, retryAfterSeconds: Math.ceil((from - now()) / 1000) });
    }
    const issued = await issuer.issue(found.site, { email: actor.email, ip });
    return issued ? success(presentCertificate(issued, now())) : failure('not_found');
  });

  serve(app, calls.remove, ({ params, actor, ip }) =>
    configuration.change({ email: actor.email, ip }, async (trx) => {
      const [stored] = await certificates.list(trx, params.id);
      if (!stored) return failure('not_found');
      await certificates.remove(trx, stored.id);
      return success({
        value: undefined,
        action: 'certificate.remove',
        reason: 'A certificate was removed',
        siteId: params.id,
        changes: [],
      });
    }),
  );
}

function upload(
  { sites, certificates, sealer }: CertificateParts,
  author: Author,
  siteId: string,
  sent: CertificateUpload,
): ConfigurationWork<StoredObject<StoredCertificate>> {
  return async (trx, now) => {
    const found = await sites.find(trx, siteId);
    if (!found) return failure('not_found');
    const issues = checkUpload(sent, { domains: found.site.domains, now });
    if (issues.length > 0) return invalid(issues);
    const [before] = await certificates.list(trx, siteId);
    const value: StoredCertificate = {
      source: 'uploaded',
      // Nothing but certificates: a file may hold its key too, which is stored sealed or not at all.
      chain: certificatesOf(sent.certificate)
        .map((pem) => `${pem}\n`)
        .join(''),
      sealedKey: sealer.seal(sent.privateKey, keyPurpose),
      steps: [],
      failures: 0,
    };
    const after = before
      ? nextVersion(before, value, author, now)
      : newObject(newId('certificate'), siteId, value, author, now);
    await certificates.save(trx, after);
    return success({
      value: after,
      action: 'certificate.upload',
      reason: `A certificate was uploaded for ${found.site.name}`,
      siteId,
      changes: [],
    });
  };
}
