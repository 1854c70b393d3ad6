export { type Prefix, readPrefix } from './body-prefix.ts';
export { findingOf } from './finding.ts';
export { examine, type Judgement, PolicyCache } from './inspection.ts';
