import type { Certificate, IssueStep, ServedCertificate } from '@portcullis/contract/certificates';
import type { StoredObject } from '../configuration/index.ts';
import type { Sealer } from '../sealing/index.ts';
import { type ChainFacts, factsOf, readChain } from './read-chain.ts';
import { isEnding, nextAttempt } from './schedule.ts';
import { keyPurpose, opensKey, type StoredCertificate } from './stored.ts';

/**
 * A stored certificate as the console shows it: never its key.
 * @param opens whether that key can be opened; one that cannot is served by nobody
 */
export function presentCertificate(
  stored: StoredObject<StoredCertificate>,
  now: number,
  opens = true,
): Certificate {
  const { source, chain, steps, failures } = stored.value;
  const renewAt = nextAttempt(stored.value, now);
  const [leaf] = chain === '' ? [] : readChain(chain);
  const facts = leaf && factsOf(leaf);
  return {
    id: stored.id,
    siteId: stored.parentId ?? '',
    source,
    state: opens ? stateOf(facts, failures, now) : 'failed',
    domains: [...(facts?.domains ?? [])],
    issuer: facts?.issuer ?? '',
    fingerprint: facts?.fingerprint ?? '',
    ...(facts && { notBefore: facts.notBefore.toISOString(), notAfter: facts.notAfter.toISOString() }),
    ...(renewAt !== undefined && { renewAt: new Date(renewAt).toISOString() }),
    steps: [...steps],
  };
}

/**
 * All certificates as the console shows them. One that is being asked for is `pending`, with the steps so far, also
 * where it is the site's first.
 */
export function presentCertificates(
  stored: readonly StoredObject<StoredCertificate>[],
  underWay: ReadonlyMap<string, readonly IssueStep[]>,
  now: number,
  sealer: Sealer,
): Certificate[] {
  const shown = stored.map((one): Certificate => {
    const steps = underWay.get(one.parentId ?? '');
    const certificate = presentCertificate(one, now, opensKey(one.value, sealer));
    return steps ? { ...certificate, state: 'pending', steps: [...steps] } : certificate;
  });
  const known = new Set(stored.map((one) => one.parentId));
  for (const [siteId, steps] of underWay) {
    if (known.has(siteId)) continue;
    const nothingYet = { domains: [], issuer: '', fingerprint: '' };
    shown.push({ id: siteId, siteId, source: 'acme', state: 'pending', ...nothingYet, steps: [...steps] });
  }
  return shown;
}

function stateOf(facts: ChainFacts | undefined, failures: number, now: number): Certificate['state'] {
  if (facts === undefined) return failures > 0 ? 'failed' : 'pending';
  const [from, until] = [facts.notBefore.getTime(), facts.notAfter.getTime()];
  if (until <= now) return 'expired';
  return isEnding(from, until, now) ? 'expiring' : 'valid';
}

/** As gateways serve it. @returns undefined where none was issued, or its key cannot be opened */
export function servedCertificate(
  stored: StoredObject<StoredCertificate>,
  sealer: Sealer,
): ServedCertificate | undefined {
  const { chain, sealedKey } = stored.value;
  const privateKey = chain === '' ? undefined : sealer.open(sealedKey, keyPurpose);
  if (privateKey === undefined) return undefined;
  return { id: stored.id, chain, privateKey, ...(stored.parentId !== null && { siteId: stored.parentId }) };
}
