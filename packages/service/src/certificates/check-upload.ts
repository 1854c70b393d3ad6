import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import type { Issue } from '@portcullis/contract/api';
import type { CertificateUpload } from '@portcullis/contract/certificates';
import { factsOf, namesCover, readChain } from './read-chain.ts';

export interface UploadContext {
  /** of the site that it is for */
  readonly domains: readonly string[];
  readonly now: number;
}

/** Says all that is wrong with a chain and its key at once; nothing where they can be served. */
export function checkUpload({ certificate, privateKey }: CertificateUpload, context: UploadContext): Issue[] {
  const chain = attempt(() => readChain(certificate));
  const key = attempt(() => createPrivateKey(privateKey));
  const issues: Issue[] = [];
  const say = (path: string, message: string) => issues.push({ path, message });
  if (chain === undefined) say('certificate', 'The certificate cannot be read as PEM');
  const [leaf, ...rest] = chain ?? [];
  if (chain !== undefined && leaf === undefined)
    say('certificate', 'There is no PEM certificate in the text');
  if (key === undefined) say('privateKey', keyProblem(privateKey));
  else sayWeakness(key, say);
  if (leaf === undefined) return issues;
  if (key && !leaf.checkPrivateKey(key))
    say('privateKey', 'The private key does not belong to the certificate');
  sayOrder([leaf, ...rest], say);
  saySignatures([leaf, ...rest], say);
  sayDates(leaf, context.now, say);
  sayNames(leaf, context.domains, say);
  return issues;
}

type Say = (path: string, message: string) => void;

function keyProblem(text: string): string {
  if (/ENCRYPTED/.test(text)) return 'The private key is encrypted; decrypt it first';
  if (/BEGIN CERTIFICATE/.test(text)) return 'This is a certificate, not a private key';
  return 'The private key cannot be read as PEM';
}

/** What browsers refuse: CA/Browser Forum Baseline Requirements §6.1.5. */
function sayWeakness(key: KeyObject, say: Say): void {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ec')
    say('privateKey', `Browsers know RSA and EC keys, not ${key.asymmetricKeyType}`);
  if (key.asymmetricKeyType === 'rsa' && (modulusLength ?? 0) < 2048)
    say('privateKey', `The key has ${modulusLength} bits; browsers ask for 2048 or more`);
  if (key.asymmetricKeyType === 'ec' && !['prime256v1', 'secp384r1', 'secp521r1'].includes(namedCurve ?? ''))
    say('privateKey', `The curve ${namedCurve} is not one that browsers know`);
}

function sayOrder(chain: readonly X509Certificate[], say: Say): void {
  for (const [index, certificate] of chain.slice(0, -1).entries()) {
    const issuer = chain[index + 1];
    if (issuer && !(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)))
      say(
        'certificate',
        `Certificate ${index + 2} of the chain did not sign the one before it; the leaf comes first`,
      );
  }
  if (chain[0]?.ca && chain.length > 1)
    say('certificate', 'The first certificate is an authority; the leaf comes first');
}

/**
 * Which hash it is signed with; that of an authority which signed itself is of no weight.
 * @see CA/Browser Forum Baseline Requirements §7.1.3.2
 */
function saySignatures(chain: readonly X509Certificate[], say: Say): void {
  for (const [index, certificate] of chain.entries()) {
    if (index > 0 && certificate.verify(certificate.publicKey)) continue;
    const [hash] = /sha-?1(?!\d)|md\d/i.exec(certificate.signatureAlgorithm ?? '') ?? [];
    if (hash !== undefined)
      say(
        'certificate',
        `Certificate ${index + 1} of the chain is signed with ${hash.toUpperCase()}, which browsers refuse`,
      );
  }
}

function sayDates(leaf: X509Certificate, now: number, say: Say): void {
  const { notBefore, notAfter } = factsOf(leaf);
  if (notBefore.getTime() > now)
    say('certificate', `The certificate is not valid before ${notBefore.toISOString()}`);
  if (notAfter.getTime() <= now) say('certificate', `The certificate expired on ${notAfter.toISOString()}`);
}

function sayNames(leaf: X509Certificate, domains: readonly string[], say: Say): void {
  const names = new Set(factsOf(leaf).domains);
  if (names.size === 0) {
    say('certificate', 'The certificate names no domain (subjectAltName), which browsers ask for');
    return;
  }
  const missing = domains.filter((domain) => domain !== '*' && !namesCover(names, domain));
  if (missing.length > 0)
    say('certificate', `The certificate is for ${[...names].join(', ')}, not for ${missing.join(', ')}`);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
