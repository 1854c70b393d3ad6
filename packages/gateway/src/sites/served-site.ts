import type { GatewaySite } from '@portcullis/contract/link';
import type {
  AccessLogFormat,
  FailureModes,
  ResponseInspection,
  SitePages,
} from '@portcullis/contract/sites';
import type { Policy } from '@portcullis/engine';
import type { ChallengePolicy } from '../challenge/index.ts';
import type { CorsPolicy } from '../cors/index.ts';
import type { UpstreamGroup } from '../forward/index.ts';
import type { HealthPlan } from '../health/index.ts';
import type { SiteLimits } from '../limits/index.ts';
import type { SiteCounters } from '../report/index.ts';

/**
 * A site as the gateway serves it: what the operator wrote, compiled for the path of a request. All that every request
 * asks stands in this one object, and what sites have alike is one object for all of them: of ten thousand sites each
 * is cold when its request comes, and every other object to look into costs as much as a thousand instructions.
 */
export interface ServedSite {
  readonly id: string;
  readonly counters: SiteCounters;
  readonly upstreams: UpstreamGroup;
  /** whether what protects it is told and not carried out */
  readonly watchOnly: boolean;
  /** whether only allow-listed clients are served */
  readonly maintenance: boolean;
  /** absent where nothing is limited */
  readonly limits: SiteLimits | undefined;
  /** absent where nothing is inspected */
  readonly policy: Policy | undefined;
  readonly challenge: ChallengePolicy;
  /** of the operator's own rules */
  readonly customRuleIds: ReadonlySet<string>;
  /** absent where the upstream answers for CORS itself */
  readonly cors: CorsPolicy | undefined;
  /** absent where the site has no TLS */
  readonly ssl: GatewaySite['ssl'] | undefined;
  readonly responseMode: GatewaySite['response_mode'];
  /** the site's own words */
  readonly pages: SitePages;
  readonly failureModes: FailureModes;
  /** absent where it keeps none */
  readonly accessLog: AccessLogFormat | undefined;
  /** absent where answers are not looked into */
  readonly responseInspection: ResponseInspection | undefined;
  /** whether the upstream gets its own name as Host */
  readonly rewriteHost: boolean;
  /** for what is asked seldom */
  readonly config: GatewaySite;
  /** none where the site or the installation has health checks switched off */
  readonly healthPlans: readonly HealthPlan[];
}
