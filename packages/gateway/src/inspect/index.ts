export { type Prefix, readPrefix } from './body-prefix.ts';
export { findingOf, findingOfLeak } from './finding.ts';
export { examine, examineRest, type Judgement, PolicyCache } from './inspection.ts';
export { type LeakOutcome, ResponseGuard } from './response-guard.ts';
export { trialWorker } from './trial-thread.ts';
