import type { IssueStep } from '@portcullis/contract/certificates';

/** An attempt of another service that it has said nothing of for so long is over, or its service is. */
const overAfterMs = 10_000;
const repeatEveryMs = 3000;

/** @param steps absent: the attempt is over */
export type StepListener = (siteId: string, steps: readonly IssueStep[] | undefined) => void;

/** The attempts to get certificates that are under way, with their steps so far, here and on other services. */
export class UnderWay {
  readonly #here = new Map<string, readonly IssueStep[]>();
  readonly #elsewhere = new Map<string, { readonly steps: readonly IssueStep[]; readonly until: number }>();
  readonly #listeners = new Set<StepListener>();
  #repeating: NodeJS.Timeout | undefined;

  /** by site */
  all(): ReadonlyMap<string, readonly IssueStep[]> {
    const others = [...this.#elsewhere].filter(([siteId]) => this.isElsewhere(siteId));
    return new Map([...others.map(([siteId, { steps }]) => [siteId, steps] as const), ...this.#here]);
  }

  /** Told of what is done here. @returns ends the subscription */
  subscribe(listener: StepListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param steps so far; absent: it is over */
  here(siteId: string, steps: readonly IssueStep[] | undefined): void {
    if (steps) this.#here.set(siteId, steps);
    else this.#here.delete(siteId);
    this.#tell(siteId, steps);
    if (this.#here.size === 0) {
      clearInterval(this.#repeating);
      this.#repeating = undefined;
      return;
    }
    // For who starts meanwhile, and for words that are lost.
    this.#repeating ??= setInterval(() => {
      for (const [site, done] of this.#here) this.#tell(site, done);
    }, repeatEveryMs).unref();
  }

  /** What another service said. */
  hear(siteId: string, steps: readonly IssueStep[] | undefined): void {
    if (steps) this.#elsewhere.set(siteId, { steps, until: performance.now() + overAfterMs });
    else this.#elsewhere.delete(siteId);
  }

  isElsewhere(siteId: string): boolean {
    return (this.#elsewhere.get(siteId)?.until ?? 0) > performance.now();
  }

  #tell(siteId: string, steps: readonly IssueStep[] | undefined): void {
    for (const listener of this.#listeners) listener(siteId, steps);
  }
}
