export { ClockDoubt } from './clock-doubt.ts';
export { createJobs, type Job, type JobParts, type Jobs, retention, type ScheduledParts } from './jobs.ts';
