// Tries requests for the console. Compiling a policy takes up to a second, which nobody else is to wait for.
import { parentPort } from 'node:worker_threads';
import type { TrialReply, TrialTask } from '@portcullis/contract/link';
import { createRequestTrial } from './try-request.ts';

const tryRequest = createRequestTrial();

function replyTo({ site, request, nowMs }: TrialTask): TrialReply {
  try {
    return { outcome: tryRequest(site, request, nowMs) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (task: TrialTask) => parentPort?.postMessage(replyTo(task)));
