import type { OperatorAddresses } from './auth/index.ts';
import { type AcmeAuthority, createIssuer, type Issuer, type IssuerParts } from './certificates/index.ts';
import { rotation, rotationIsDue } from './gateway-secrets/index.ts';
import { createJobs, type Job, type Jobs } from './jobs/index.ts';

/** Where certificates come from unless the operator names another authority. */
const publicAuthority: AcmeAuthority = { directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory' };

/** What keeps gateways supplied: certificates in time, keys that do not grow old, and whom never to ban. */
export interface Upkeep {
  readonly issuer: Issuer;
  readonly jobs: Jobs;
}

/** @param authority absent: Let's Encrypt */
export function createUpkeep(
  parts: Omit<IssuerParts, 'authority'> & { readonly operators: OperatorAddresses },
  authority: AcmeAuthority = publicAuthority,
): Upkeep {
  const { storage, sealer, configuration, now } = parts;
  const issuer = createIssuer({ ...parts, authority });
  const jobs: Job[] = [
    { name: 'issue and renew certificates', everyMs: 5000, run: () => issuer.issueDue() },
    { name: 'tell gateways where operators are', everyMs: 2000, run: () => parts.operators.look() },
    {
      name: 'renew the keys that gateways share',
      everyMs: 600_000,
      async run() {
        if (await rotationIsDue(storage.db, sealer, now()))
          await configuration.change({ email: 'portcullis', ip: '' }, rotation(sealer));
      },
    },
  ];
  return { issuer, jobs: createJobs(parts, jobs) };
}
