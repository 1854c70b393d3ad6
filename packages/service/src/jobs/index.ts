export { ClockDoubt } from './clock-doubt.ts';
export { createJobs, type Job, type JobParts, type Jobs, retention } from './jobs.ts';
