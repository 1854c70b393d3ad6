// A thread that keeps its processor busy until the file exists that the request's target names, and says so beside it.
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { TrialReply, TrialTask } from '@portcullis/contract/link';

parentPort?.on('message', ({ request: { target } }: TrialTask) => {
  if (target === '/throws') throw new Error('it broke');
  if (!existsSync(target)) writeFileSync(`${target}.begun`, '');
  while (!existsSync(target));
  const reply: TrialReply = {
    outcome: {
      decision: 'pass',
      message: target,
      score: 0,
      scores: {},
      overBudget: false,
      matches: [],
      evaluations: [],
      valueCount: 0,
      oddities: [],
    },
  };
  parentPort?.postMessage(reply);
});
