import { createHash, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { ServedCertificate } from '@portcullis/contract/certificates';
import type { Steps } from '../steps.ts';

/** TLS 1.2 suites with forward secrecy and AEAD; those of TLS 1.3 all are. As Mozilla's "intermediate" of 2025. */
export const cipherSuites = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

interface Loaded {
  readonly source: ServedCertificate;
  readonly context: SecureContext;
  /** lower case: `shop.example.com`, `*.example.com` */
  readonly names: readonly string[];
  readonly notAfter: number;
}

export interface CertificateProblem {
  readonly certificateId: string;
  readonly reason: string;
}

/** Certificates by the names that they are for, ready for the handshake. Immutable, part of one configuration. */
export interface CertificateStore {
  /**
   * @param serverName what the client asks for; undefined where it sends none
   * @returns the context of an exact name, else of a wildcard one label up, else the fallback
   */
  find(serverName: string | undefined): SecureContext | undefined;
  /** whether a host would get a certificate that names it */
  covers(host: string): boolean;
  /** certificates that could not be loaded; the others serve on */
  readonly problems: readonly CertificateProblem[];
  /** what a client gets that names nobody; absent where no site answers for any host */
  readonly fallback: ServedCertificate | undefined;
  readonly size: number;
  /** by content, for the next compilation */
  readonly loaded: ReadonlyMap<string, Loaded>;
}

/**
 * Loads certificates. Of several for one name the one that is valid for longest counts.
 * @param fallbackSites sites that answer for any host: theirs serves where no name fits
 * @param before what is in force, so that contexts, and with them sessions, outlive a reload
 */
export function* compileCertificates(
  certificates: readonly ServedCertificate[],
  fallbackSites: ReadonlySet<string>,
  before?: CertificateStore,
): Steps<CertificateStore> {
  const loaded = new Map<string, Loaded>();
  const problems: CertificateProblem[] = [];
  const byName = new Map<string, Loaded>();
  let fallback: Loaded | undefined;
  for (const certificate of certificates) {
    yield;
    try {
      const content = createHash('sha256')
        .update(certificate.chain)
        .update(certificate.privateKey)
        .digest('hex');
      const entry = before?.loaded.get(content) ?? load(certificate);
      loaded.set(content, entry);
      for (const name of entry.names) byName.set(name, longer(byName.get(name), entry));
      if (certificate.siteId !== undefined && fallbackSites.has(certificate.siteId))
        fallback = longer(fallback, entry);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push({ certificateId: certificate.id, reason });
    }
  }
  const named = (host: string) => byName.get(host) ?? byName.get(`*${host.slice(host.indexOf('.'))}`);
  return {
    find: (serverName) => {
      const fitting = serverName === undefined ? undefined : named(plainName(serverName));
      return (fitting ?? fallback)?.context;
    },
    covers: (host) => named(host) !== undefined,
    problems,
    fallback: fallback?.source,
    size: loaded.size,
    loaded,
  };
}

/** As RFC 6066 §3 has it; some clients send the dot of a name that is fully qualified, as a Host may. */
const plainName = (serverName: string) => serverName.toLowerCase().replace(/\.$/, '');

const longer = (a: Loaded | undefined, b: Loaded) => (a !== undefined && a.notAfter >= b.notAfter ? a : b);

/** @throws where PEM cannot be read or the key is not the certificate's */
function load(source: ServedCertificate): Loaded {
  const { chain, privateKey } = source;
  const leaf = new X509Certificate(chain);
  const context = createSecureContext({
    cert: chain,
    key: privateKey,
    minVersion: 'TLSv1.2',
    ciphers: cipherSuites,
    honorCipherOrder: false, // all are sound; a phone knows best whether it has AES in hardware
  });
  return { source, context, names: dnsNames(leaf), notAfter: leaf.validToDate.getTime() };
}

/** DNS names of the subject's alternatives. The common name has not counted since RFC 9525. */
function dnsNames(leaf: X509Certificate): string[] {
  return [...(leaf.subjectAltName ?? '').matchAll(/DNS:([^,\s"]+)/g)].map(([, name = '']) =>
    name.toLowerCase(),
  );
}
