import { type AuditLog, type ChainWatch, createOutsideActions } from './audit/index.ts';
import { type OperatorAddresses, tellUnknown } from './auth/index.ts';
import { type Bans, forgetBans } from './bans/index.ts';
import { type AcmeAuthority, createIssuer, type Issuer, type IssuerParts } from './certificates/index.ts';
import { pruneHistory } from './configuration/index.ts';
import type { Countries } from './countries/index.ts';
import type { FleetWatch } from './fleet/index.ts';
import { rotation, rotationIsDue } from './gateway-secrets/index.ts';
import { createJobs, type Job, type JobParts, type Jobs } from './jobs/index.ts';
import { readSettings } from './settings/index.ts';

/** Where certificates come from unless the operator names another authority. */
const publicAuthority: AcmeAuthority = { directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory' };

/** What keeps gateways supplied: certificates in time, keys that do not grow old, and whom never to ban. */
export interface Upkeep {
  readonly issuer: Issuer;
  readonly jobs: Jobs;
}

/** What an operator may supply. */
export interface Supplies {
  /** absent: Let's Encrypt */
  readonly authority: AcmeAuthority | undefined;
  readonly countries: Countries;
}

const hourMs = 3_600_000;

/** Drops versions of the configuration that are over their time; not what a gateway still serves by. */
function dropOldVersions({ fleet }: { readonly fleet: Pick<FleetWatch, 'list'> }): Job {
  return {
    name: 'drop versions of the configuration that are over their time',
    everyMs: hourMs,
    byAge: true,
    async run({ storage, log, now }) {
      const general = await readSettings(storage.read, 'general');
      const limits = { days: general.historyRetentionDays, versions: general.historyKeptVersions };
      const inUse = fleet.list().members.flatMap(({ configVersion }) => configVersion ?? []);
      const dropped = await pruneHistory(storage, limits, now(), Math.min(...inUse));
      if (dropped > 0) log.info('Dropped old versions of the configuration', { dropped });
    },
  };
}

function banJobs({ bans }: { readonly bans: Bans }): Job[] {
  return [
    {
      name: 'tell gateways of bans and lifts',
      everyMs: 2000,
      everywhere: true,
      run: () => bans.look(),
    },
    {
      name: 'forget bans that are over',
      everyMs: 60_000,
      byAge: true,
      run: ({ storage, now }) => forgetBans(storage.db, now()),
    },
  ];
}

const wholeEveryMs = 86_400_000;

/** Looks at administrators' actions, at all of them once a day, so that what was changed in the database is known. */
function lookAtTheChain({ chain }: { readonly chain: ChainWatch }): Job {
  return {
    name: 'look whether the admin audit log is whole',
    everyMs: hourMs,
    async run({ log, now }) {
      const { checkedWholeAt } = await chain.look();
      const isDue = checkedWholeAt === null || checkedWholeAt < now() - wholeEveryMs;
      const { brokenAt } = isDue ? await chain.lookAtAll() : await chain.look();
      if (brokenAt !== undefined)
        log.error('The admin audit log was changed beside the service', { brokenAt });
    },
  };
}

export function createUpkeep(
  parts: Omit<IssuerParts, 'authority'> &
    JobParts & {
      readonly audit: AuditLog;
      readonly chain: ChainWatch;
      readonly fleet: Pick<FleetWatch, 'list'>;
      readonly operators: OperatorAddresses;
      readonly bans: Bans;
    },
  { authority = publicAuthority, countries }: Supplies,
): Upkeep {
  const { storage, sealer, configuration, now } = parts;
  const issuer = createIssuer({ ...parts, authority });
  const outside = createOutsideActions(storage, parts.audit, now);
  const jobs: Job[] = [
    { name: 'issue and renew certificates', everyMs: 5000, run: () => issuer.issueDue() },
    {
      name: 'tell gateways where operators are',
      everyMs: 2000,
      everywhere: true,
      run: () => parts.operators.look(),
    },
    ...banJobs(parts),
    {
      name: 'renew the keys that gateways share',
      everyMs: 600_000,
      async run() {
        if (await rotationIsDue(storage.db, sealer, now()))
          await configuration.change({ email: 'portcullis', ip: '' }, rotation(sealer));
      },
    },
    {
      name: 'put in force what the command line stored',
      everyMs: 2000,
      everywhere: true,
      run: () => configuration.refresh(),
    },
    {
      name: 'tell of what the command line did',
      everyMs: 2000,
      run: () => outside.look(),
    },
    {
      name: 'tell of sign-ins to accounts that do not exist',
      everyMs: 60_000,
      run: () => tellUnknown(parts),
    },
    dropOldVersions(parts),
    lookAtTheChain(parts),
    {
      name: 'read the country database anew where it was replaced',
      everyMs: 600_000,
      everywhere: true,
      run: async () => countries.refresh(),
    },
  ];
  return { issuer, jobs: createJobs(parts, jobs) };
}
