import type { Issue } from '@portcullis/contract/api';
import type { GatewaySite, Peers } from '@portcullis/contract/link';
import type { BuiltInRule, CustomRuleCreate } from '@portcullis/contract/protection';
import type { PageKind, SitePages } from '@portcullis/contract/sites';
import type { AcmeAuthority } from './certificates/index.ts';
import type { Log } from './log.ts';
import type { EnsuredSite } from './sites/index.ts';

/** What the composition root decides about a service. */
export interface ServiceOptions {
  readonly dataDir: string;
  /** `postgres://…`; absent: SQLite in the data folder */
  readonly databaseUrl?: string | undefined;
  readonly adminHost: string;
  /** 0 takes any free port */
  readonly adminPort: number;
  /** the built console; absent: the API alone */
  readonly consoleDir?: string | undefined;
  /** makes the first administrator without a setup link; ignored once a user exists */
  readonly bootstrapAdmin?: { readonly email: string; readonly password: string } | undefined;
  /** how browsers reach the console, where that is not the listening address */
  readonly publicUrl?: string | undefined;
  /** addresses and networks of proxies in front of the console, whose X-Forwarded-For counts */
  readonly adminTrustedProxies?: readonly string[] | undefined;
  readonly log: Log;
  /** says what of a rule the engine cannot compile */
  readonly checkRule?: ((rule: CustomRuleCreate) => readonly Issue[]) | undefined;
  /** what gateways judge by without being told, and what becomes of it on a site at a time in Unix milliseconds */
  readonly listBuiltInRules?: ((site: GatewaySite | undefined, nowMs: number) => BuiltInRule[]) | undefined;
  /** module of a thread that says what a gateway would make of a request: takes `TrialTask`, answers `TrialReply` */
  readonly trialWorker?: URL | undefined;
  /** draws a page as a gateway would; `time` is ISO 8601 */
  readonly previewPage?: ((kind: PageKind, texts: SitePages, time: string) => string) | undefined;
  readonly productVersion: string;
  /** what this service is called among others on its database; absent: `service` */
  readonly name?: string | undefined;
  /** the machine's name */
  readonly nodeName?: string | undefined;
  /** ports of the gateways of this machine, so that a site cannot forward to them in a circle */
  readonly gatewayPorts?: readonly number[] | undefined;
  /** a site to create, or to point at its upstream, before anything is served */
  readonly ensureSite?: EnsuredSite | undefined;
  /** tells the countries of addresses, in MaxMind's format; absent: no countries are shown */
  readonly countryDatabaseFile?: string | undefined;
  /** where automatic certificates come from; absent: Let's Encrypt */
  readonly acme?: AcmeAuthority | undefined;
  /** the other services on the same database; absent: there are none */
  readonly peers?: Peers | undefined;
  /** the clock in Unix milliseconds, for tests */
  readonly now?: (() => number) | undefined;
}
