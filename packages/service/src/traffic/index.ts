export { addCounters, readHours, readRecent, readTotals } from './repository.ts';
