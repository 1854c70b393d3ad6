export { countFacets } from './facets.ts';
export { rowFilter } from './filter.ts';
export { createIntake, type EventIntake } from './intake.ts';
export { newestEvents } from './newest.ts';
export { entryOfEvent } from './present.ts';
export { retain } from './retention.ts';
export { eventRoutes } from './routes.ts';
export { searchEvents } from './search.ts';
