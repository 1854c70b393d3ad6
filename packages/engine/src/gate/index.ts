export * from './automaton.ts';
export { type Hits, isHit, resetHits } from './hits.ts';
export { type GateLiteral, lengthened, significant } from './literals.ts';
export { atOnce, type Steps } from './steps.ts';
