export { createJobs, type Job, type JobParts, type Jobs } from './jobs.ts';
