import { webcrypto } from 'node:crypto';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import type { ServedCertificate } from '@portcullis/contract/certificates';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A self-signed certificate for some names, made on the spot. */
export async function certificateFor(
  domains: readonly string[],
  options: { siteId?: string; days?: number } = {},
): Promise<ServedCertificate> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const leaf = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${domains[0] ?? 'nobody'}`,
    keys,
    notBefore: new Date(now - 86_400_000),
    notAfter: new Date(now + (options.days ?? 90) * 86_400_000),
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension(domains.map((value) => ({ type: 'dns', value })))],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const lines = pkcs8.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    id: `certificate-${leaf.serialNumber}`,
    ...(options.siteId !== undefined && { siteId: options.siteId }),
    chain: leaf.toString('pem'),
    privateKey: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`,
  };
}
