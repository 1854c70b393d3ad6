import { presentCertificate } from '../certificates/index.ts';
import type { Trx } from '../storage/index.ts';
import type { StoredConfiguration } from '../stored-configuration.ts';
import type { DesiredState } from './desired.ts';
import type { ImportedFile } from './imported-file.ts';

/** What a file names and does not hold: the certificates that this installation has not. */
async function missingCertificates(
  { certificates }: StoredConfiguration,
  trx: Trx,
  { document }: ImportedFile,
  desired: DesiredState,
  now: number,
): Promise<string[]> {
  const stored = (await certificates.list(trx)).map((one) => presentCertificate(one, now));
  return (document.sites ?? []).flatMap(({ certificate, name, ssl }, index) => {
    const siteId = desired.sites?.[index]?.id;
    const has = stored.some((one) => one.siteId === siteId && one.domains.length > 0);
    if (!certificate || has) return [];
    if (certificate.source === 'acme' && ssl.autoCert) {
      return [`The certificate of "${name}" is requested anew`];
    }
    const names = certificate.domains.join(', ');
    return [`The certificate of "${name}" for ${names} is not in the file: upload it again`];
  });
}

/** What a person must know of an import beside its changes. */
export async function notesOn(
  stored: StoredConfiguration,
  trx: Trx,
  file: ImportedFile,
  desired: DesiredState,
  now: number,
): Promise<string[]> {
  const { sites, address_lists, settings, secrets } = file.document;
  const absent = [
    ...(sites ? [] : ['sites']),
    ...(address_lists ? [] : ['address_lists']),
    ...(settings ? [] : ['settings']),
  ];
  return [
    ...(absent.length > 0 ? [`Left alone, for the file does not have them: ${absent.join(', ')}`] : []),
    ...(secrets !== undefined && file.secrets === undefined
      ? ['The secrets in the file were left out, for no passphrase was given; those stored here stay']
      : []),
    ...(await missingCertificates(stored, trx, file, desired, now)),
  ];
}
