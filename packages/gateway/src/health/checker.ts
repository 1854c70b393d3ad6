import type { LookupFunction } from 'node:net';
import { tlsName, UpstreamClient, upstreamConnector } from '../forward/index.ts';
import type { Gate } from './gate.ts';

/** What to ask of an upstream and how often. Times in milliseconds. */
export interface HealthPlan {
  readonly siteId: string;
  readonly origin: string;
  /** sent as Host, so that a name-based upstream answers for the site */
  readonly host: string | undefined;
  readonly path: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** whether an https upstream must show a valid certificate */
  readonly verifyTls: boolean;
  /** PEM of the authorities that it is verified against; empty takes the system's */
  readonly ca: string;
}

export interface Health {
  readonly healthy: boolean;
  readonly checksPassed: number;
  readonly checksFailed: number;
  /** why the newest check failed */
  readonly reason?: string;
}

export interface CheckerOptions {
  /** through which each check goes */
  readonly gate: Gate;
  /** resolves the names of upstreams */
  readonly lookup: LookupFunction;
  /** called after the first check and whenever the verdict turns, not at each check */
  readonly onNews: (turned: boolean) => void;
}

/** Checks in a row that change the verdict. */
const rise = 2;
const fall = 3;

/** Asks an upstream again and again whether it is alive: any status below 500 says yes. */
export class HealthChecker {
  readonly plan: HealthPlan;
  readonly #options: CheckerOptions;
  readonly #pass = () => void this.#round();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #healthy = true;
  #passed = 0;
  #failed = 0;
  #row = 0;
  #reason: string | undefined;

  constructor(plan: HealthPlan, options: CheckerOptions) {
    this.plan = plan;
    this.#options = options;
  }

  start(): void {
    this.#options.gate.enterFirst(this.#pass);
  }

  stop(): void {
    this.#stopped = true;
    this.#options.gate.leave(this.#pass);
    clearTimeout(this.#timer);
  }

  get health(): Health {
    const counts = { healthy: this.#healthy, checksPassed: this.#passed, checksFailed: this.#failed };
    return this.#reason === undefined ? counts : { ...counts, reason: this.#reason };
  }

  async #round(): Promise<void> {
    const reason = await check(this.plan, this.#options.lookup);
    if (this.#stopped) return;
    this.#take(reason);
    this.#timer = setTimeout(() => this.#options.gate.enter(this.#pass), this.plan.intervalMs);
  }

  #take(reason: string | undefined): void {
    const first = this.#passed + this.#failed === 0;
    const ok = reason === undefined;
    if (ok) this.#passed++;
    else this.#failed++;
    this.#reason = reason?.slice(0, 512);
    this.#row = ok === this.#healthy ? 0 : this.#row + 1;
    // The very first check counts at once, so that a dead upstream shows when the site is added.
    const turned = this.#row >= (first ? 1 : ok ? rise : fall);
    if (turned) {
      this.#healthy = ok;
      this.#row = 0;
    }
    if (first || turned) this.#options.onNews(turned);
  }
}

/** @returns undefined when alive, else why not */
async function check(plan: HealthPlan, lookup: LookupFunction): Promise<string | undefined> {
  // A connection of its own: a check through the warm pool would miss that nobody listens any more.
  const { origin, timeoutMs: connectMs, verifyTls, ca } = plan;
  const client = new UpstreamClient(origin, {}, upstreamConnector({ connectMs, verifyTls, ca }, lookup));
  try {
    const answer = await client.request({
      method: 'GET',
      path: plan.path,
      ...tlsName(plan.origin),
      headers: {
        ...(plan.host === undefined ? {} : { host: plan.host }),
        'user-agent': 'Portcullis health check',
      },
      signal: AbortSignal.timeout(plan.timeoutMs),
    });
    answer.body.on('error', () => undefined).destroy();
    return answer.statusCode < 500 ? undefined : `answered ${answer.statusCode}`;
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    return timedOut
      ? `no answer within ${plan.timeoutMs} ms`
      : String(error instanceof Error ? error.message : error);
  } finally {
    void client.destroy();
  }
}
