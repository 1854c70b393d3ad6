export {
  addCounters,
  readHours,
  readRecent,
  readSteps,
  readTotals,
} from './repository.ts';
export { addSums, noSums, type Sums } from './sums.ts';
