export * from './automaton.ts';
