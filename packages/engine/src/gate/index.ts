export * from './automaton.ts';
export { type Hits, isHit, resetHits } from './hits.ts';
export { type GateLiteral, significant } from './literals.ts';
