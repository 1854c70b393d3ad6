import type { GatewaySite } from '@portcullis/contract/link';
import type { Policy } from '@portcullis/engine';
import type { ChallengePolicy } from '../challenge/index.ts';
import type { CorsPolicy } from '../cors/index.ts';
import type { UpstreamGroup } from '../forward/index.ts';
import type { HealthPlan } from '../health/index.ts';
import type { SiteLimits } from '../limits/index.ts';

/** A site as the gateway serves it: what the operator wrote, compiled for the path of a request. */
export interface ServedSite {
  readonly config: GatewaySite;
  readonly upstreams: UpstreamGroup;
  /** none where the site or the installation has health checks switched off */
  readonly healthPlans: readonly HealthPlan[];
  readonly limits: SiteLimits;
  readonly challenge: ChallengePolicy;
  /** absent where nothing is inspected */
  readonly policy: Policy | undefined;
  /** of the operator's own rules */
  readonly customRuleIds: ReadonlySet<string>;
  /** absent where the upstream answers for CORS itself */
  readonly cors: CorsPolicy | undefined;
}
