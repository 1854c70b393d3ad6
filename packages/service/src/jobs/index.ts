export { createJobs, type Job, type JobParts, type Jobs, retention } from './jobs.ts';
