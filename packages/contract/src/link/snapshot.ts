import { z } from 'zod';
import { AddressList } from '../access/index.ts';
import { AcmeChallengeAnswer, ServedCertificate } from '../certificates/index.ts';
import { CustomRule } from '../protection/index.ts';
import { GeneralSettings, SecuritySettings } from '../settings/index.ts';
import { Site } from '../sites/index.ts';
import { GatewaySecrets } from './secrets.ts';
import { linkCompatibleFrom, linkVersion } from './version.ts';

const upgradeService = `this gateway needs ${linkCompatibleFrom} or newer. Bring the services up to date`;
const upgradeGateway = `this gateway speaks ${linkVersion}. Bring it up to date`;

/** Without the time zone: no gateway tells times, and those of before refuse one that they do not know. */
const GatewayGeneral = GeneralSettings.omit({ timezone: true });
export type GatewayGeneral = z.infer<typeof GatewayGeneral>;

/** A site with what is in force on it. */
export const GatewaySite = Site.extend({
  /** enabled rules of active rulesets, in order of decision */
  rules: z.array(CustomRule).default([]),
});
export type GatewaySite = z.infer<typeof GatewaySite>;

/**
 * All that a gateway serves by: immutable, versioned, whole. A snapshot that does not compile is refused whole
 * and the last good one stays in force.
 */
export const ConfigSnapshot = z.object({
  linkVersion: z
    .number()
    .int()
    .min(linkCompatibleFrom, {
      error: ({ input }) =>
        `was made by an older service, which speaks version ${input} of the link: ${upgradeService}`,
    }),
  /** the oldest version whose gateways may serve by it */
  linkCompatibleFrom: z
    .number()
    .int()
    .max(linkVersion, {
      error: ({ input }) =>
        `was made by a newer service, which needs version ${input} of the link: ${upgradeGateway}`,
    })
    .default(1),
  /** rises with each saved change of the configuration */
  version: z.number().int(),
  createdAt: z.string(),
  sites: z.array(GatewaySite),
  general: GatewayGeneral.prefault({}),
  security: SecuritySettings.prefault({}),
  /** enabled lists only */
  addressLists: z.array(AddressList).default([]),
  certificates: z.array(ServedCertificate).default([]),
  acmeChallenges: z.array(AcmeChallengeAnswer).default([]),
  secrets: GatewaySecrets.prefault({}),
});
export type ConfigSnapshot = z.infer<typeof ConfigSnapshot>;
