import { errors } from '../http-client.ts';
import { Line, type Place } from '../memory/index.ts';

/** An answer that is waited for. */
export interface Awaited {
  /** monotonic milliseconds: when the upstream last took or gave something */
  heardAt: number;
  /** how long it may be quiet now, in milliseconds; undefined while it is others that are slow */
  patienceMs(): number | undefined;
  /** It was quiet for longer. To be called once. */
  giveUp(): void;
}

/** How late it may be noticed that time is up, in milliseconds. */
const tickMs = 250;

const awaited = new Line<Awaited>();
let ticker: NodeJS.Timeout | undefined;

/**
 * Waits with one clock for all answers of the process. Timers of their own, as undici sets them, live on until their
 * next tick, and so outlive the collection of what is young.
 * @returns to be handed to {@link settled} once the answer is there or nobody waits any more
 */
export function wait(answer: Awaited): Place<Awaited> {
  ticker ??= setInterval(afterReading, tickMs).unref();
  return awaited.join(answer);
}

export function settled(place: Place<Awaited>): void {
  awaited.leave(place);
}

/**
 * Where the process was held still, its timers are due before it reads what came meanwhile: immediates come after that,
 * and an answer that is there is not given up.
 */
const afterReading = () => void setImmediate(tick);

function tick(): void {
  const now = performance.now();
  for (const answer of awaited) {
    const patience = answer.patienceMs();
    if (patience === undefined) answer.heardAt = now;
    else if (now - answer.heardAt > patience) answer.giveUp();
  }
  if (awaited.size > 0) return;
  clearInterval(ticker);
  ticker = undefined;
}

/** Why an answer was given up, in the words that undici has for it. */
export const giveUpReason = (headSeen: boolean): Error =>
  headSeen ? new errors.BodyTimeoutError() : new errors.HeadersTimeoutError();
