/** What clients of one gateway saw of it. */
export class Ledger {
  /** answers, and when each block was answered, by its reference */
  answered = 0;
  readonly blocks = new Map<string, number>();
  /** requests that a gateway which was being killed left without an answer: it may have counted them, or not */
  unanswered = 0;
  /** answers that a client did not deserve, in a few words each */
  readonly wrong = new Map<string, number>();
  /** whether the gateway is being killed or starts */
  down = false;
  /** milliseconds that the slowest answer took */
  slowestMs = 0;
  /** when requests were answered, of late: what a killed gateway may have held in memory */
  readonly recent: number[] = [];

  /** What one thing that goes wrong is looked at by begins anew. */
  begin(): void {
    this.wrong.clear();
    this.unanswered = 0;
    this.slowestMs = 0;
  }

  answer(attack: boolean, status: number, reference: string | undefined, tookMs: number): void {
    this.answered += 1;
    this.slowestMs = Math.max(this.slowestMs, Math.round(tookMs));
    // Whoever asks goes on only then, so a moment without service is a slow answer.
    if (tookMs > slowMs) this.#wrong(`an answer after more than ${slowMs} ms`);
    this.recent.push(performance.now());
    if (this.recent.length > maxRecent) this.recent.splice(0, maxRecent / 2);
    if (status !== (attack ? 403 : 200)) this.#wrong(`${status} instead of ${attack ? 403 : 200}`);
    if (status !== 403) return;
    if (reference) this.blocks.set(reference, performance.now());
    else this.#wrong('a block without a reference');
  }

  /** @param down whether the gateway was, when it was asked */
  fail(error: Error, down: boolean): void {
    if (down || this.down) this.unanswered += 1;
    else this.#wrong(error.message);
  }

  get wrongs(): number {
    return [...this.wrong.values()].reduce((sum, times) => sum + times, 0);
  }

  #wrong(why: string): void {
    this.wrong.set(why, (this.wrong.get(why) ?? 0) + 1);
  }
}

const maxRecent = 20_000;
/** Two cores bear a dozen processes, of which some start again meanwhile. */
const slowMs = 5000;
