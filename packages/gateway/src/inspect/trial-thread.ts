/** Module of a thread that tries requests: takes `TrialTask`, answers each with a `TrialReply`. */
export const trialWorker = new URL('./trial-worker.ts', import.meta.url);
