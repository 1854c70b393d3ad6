export { fitCollector } from './collector.ts';
export { Line, type Place } from './line.ts';
export { Recent } from './recent.ts';
export { Resident } from './resident.ts';
