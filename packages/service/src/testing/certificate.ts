import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  type GeneralNameType,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;

/** A certificate made on the spot, in PEM, with what signs others in its name. */
export interface MadeCertificate {
  readonly certificate: string;
  readonly privateKey: string;
  readonly signer: { readonly certificate: X509Certificate; readonly keys: CryptoKeyPair };
}

type CryptoKeyPair = webcrypto.CryptoKeyPair;

export interface MadeOptions {
  /** of the time of signing */
  readonly from?: number;
  readonly until?: number;
  /** an address beside the names */
  readonly ip?: string;
  readonly authority?: boolean;
  /** absent: by itself */
  readonly signedBy?: MadeCertificate['signer'];
  /** what it is signed with, SHA-256 unless said */
  readonly hash?: 'SHA-1' | 'SHA-256';
}

export async function selfSigned(
  domains: readonly string[],
  options: MadeOptions = {},
): Promise<MadeCertificate> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const {
    from = Date.now() - dayMs,
    until = Date.now() + 90 * dayMs,
    ip,
    authority = false,
    signedBy,
    hash = 'SHA-256',
  } = options;
  const names = domains.map((value) => ({ type: 'dns' as GeneralNameType, value }));
  if (ip !== undefined) names.push({ type: 'ip', value: ip });
  const subject = `CN=${domains[0] ?? 'Authority'}, O=Test`;
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: signedBy?.certificate.subject ?? subject,
    publicKey: keys.publicKey,
    signingKey: signedBy?.keys.privateKey ?? keys.privateKey,
    notBefore: new Date(from),
    notAfter: new Date(until),
    signingAlgorithm: { ...algorithm, hash },
    extensions: [
      ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
      new BasicConstraintsExtension(authority),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    certificate: `${certificate.toString('pem')}\n`,
    privateKey: `-----BEGIN PRIVATE KEY-----\n${pkcs8.replaceAll(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
    signer: { certificate, keys },
  };
}
