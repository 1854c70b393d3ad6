export { ConcurrencyGate } from './concurrency.ts';
export { ConnectionShares } from './connection-shares.ts';
export { HeldMemory, type Holder } from './held-memory.ts';
export { PerClient } from './per-client.ts';
export {
  type ExceededLimit,
  type LimitedRequest,
  LimitRegistry,
  type LimitVerdict,
  SiteLimits,
  siteLimits,
} from './site-limits.ts';
export { isAssetAnswer, isStaticAsset } from './static-asset.ts';
export { type BucketPolicy, type BucketVerdict, TokenBuckets } from './token-buckets.ts';
