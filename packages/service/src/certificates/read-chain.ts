import { X509Certificate } from 'node:crypto';

/** What a chain says of itself. */
export interface ChainFacts {
  /** lower case DNS names of the leaf */
  readonly domains: readonly string[];
  readonly issuer: string;
  /** SHA-256, colon-separated hex */
  readonly fingerprint: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** @returns the certificates of a PEM text in order, each as text, without what else stands there */
export const certificatesOf = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];

/** @returns the certificates of a PEM text in order. @throws where one cannot be read */
export const readChain = (pem: string): X509Certificate[] =>
  certificatesOf(pem).map((block) => new X509Certificate(block));

export function factsOf(leaf: X509Certificate): ChainFacts {
  const names = (leaf.subjectAltName ?? '').matchAll(/DNS:([^,\s"]+)/g);
  return {
    domains: [...names].map(([, name = '']) => name.toLowerCase()),
    issuer: /^O=(.+)$/m.exec(leaf.issuer)?.[1] ?? /^CN=(.+)$/m.exec(leaf.issuer)?.[1] ?? leaf.issuer,
    fingerprint: leaf.fingerprint256,
    notBefore: leaf.validFromDate,
    notAfter: leaf.validToDate,
  };
}

/** Whether one of certificates' names is for a domain: the same, or one label under its wildcard (RFC 9525 §6.3). */
export function namesCover(names: ReadonlySet<string>, domain: string): boolean {
  const wildcard = `*${domain.slice(domain.indexOf('.'))}`;
  return names.has(domain) || (domain.includes('.') && !domain.startsWith('*.') && names.has(wildcard));
}
