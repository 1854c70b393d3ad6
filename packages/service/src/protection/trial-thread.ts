import { Worker } from 'node:worker_threads';
import type { TrialReply, TrialTask } from '@portcullis/contract/link';
import type { RuleTestOutcome } from '@portcullis/contract/protection';
import { type Failure, failure, type Outcome, success } from '../outcome.ts';

/** Starting the thread and compiling the first policy took up to four seconds on a busy machine of two cores. */
const longestMs = 15_000;

/** Trials that may wait for the one under way: some people at once, each with one. */
const longestQueue = 8;

interface Waiting {
  readonly task: TrialTask;
  settle(outcome: Outcome<RuleTestOutcome>): void;
}

const ended = (why: string): Failure =>
  failure('trial_failed', { message: `The request could not be tried: ${why}` });

/**
 * Tries requests in one thread of its own, which starts with the first: compiling a policy takes up to a second that
 * the service must not stand still. A user has one trial at a time, so nobody keeps the thread from the others.
 */
export class TrialThread {
  readonly #module: URL;
  readonly #limitMs: number;
  readonly #users = new Set<string>();
  readonly #queue: Waiting[] = [];
  #underWay: Waiting | undefined;
  #worker: Worker | undefined;
  #limit: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param limitMs after which a trial is ended, and the thread with it */
  constructor(module: URL, limitMs = longestMs) {
    this.#module = module;
    this.#limitMs = limitMs;
  }

  /** @returns `too_many_requests` to a user who has one under way, `trial_failed` where it was ended */
  async try(userId: string, task: TrialTask): Promise<Outcome<RuleTestOutcome>> {
    if (this.#stopped) return ended('the service is stopping');
    if (this.#users.has(userId) || this.#queue.length >= longestQueue) {
      return failure('too_many_requests', { retryAfterSeconds: 5 });
    }
    this.#users.add(userId);
    const { promise, resolve } = Promise.withResolvers<Outcome<RuleTestOutcome>>();
    this.#queue.push({ task, settle: resolve });
    this.#next();
    try {
      return await promise;
    } finally {
      this.#users.delete(userId);
    }
  }

  /** Ends the thread and what is under way or waits. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const waiting = this.#queue.splice(0);
    const worker = this.#end(ended('the service is stopping'));
    for (const { settle } of waiting) settle(ended('the service is stopping'));
    await worker?.terminate();
  }

  #next(): void {
    if (this.#underWay) return;
    this.#underWay = this.#queue.shift();
    if (!this.#underWay) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(this.#underWay.task);
    const seconds = this.#limitMs / 1000;
    this.#limit = setTimeout(
      () => void this.#end(ended(`it took longer than ${seconds} seconds`))?.terminate(),
      this.#limitMs,
    );
  }

  #start(): Worker {
    const worker = new Worker(this.#module);
    const lost = (why: string) => {
      // One that was ended says so after its successor began.
      if (worker === this.#worker) this.#end(ended(why));
    };
    worker.on('message', (reply: TrialReply) => {
      if (worker === this.#worker)
        this.#settle('problem' in reply ? ended(reply.problem) : success(reply.outcome));
    });
    worker.on('error', (error) => lost(error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => lost('its thread ended'));
    return worker;
  }

  /** @returns the thread, which is nobody's any more */
  #end(outcome: Failure): Worker | undefined {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#settle(outcome);
    return worker;
  }

  #settle(outcome: Outcome<RuleTestOutcome>): void {
    clearTimeout(this.#limit);
    const done = this.#underWay;
    this.#underWay = undefined;
    done?.settle(outcome);
    this.#next();
  }
}
