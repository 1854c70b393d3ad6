import type { Dispatcher } from 'undici';

/** Stops an upstream while one piece of its answer is looked at, and lets it go on unless who gets the piece stops it too. */
export class HeldPiece implements Dispatcher.DispatchController {
  readonly #upstream: Dispatcher.DispatchController;
  #stopped = false;

  constructor(upstream: Dispatcher.DispatchController) {
    this.#upstream = upstream;
    upstream.pause();
  }

  /** To be called once the piece was handed on, while the upstream's answer goes on. */
  release(): void {
    if (!this.#stopped) this.#upstream.resume();
  }

  get aborted(): boolean {
    return this.#upstream.aborted;
  }

  get paused(): boolean {
    return this.#upstream.paused;
  }

  get reason(): Error | null {
    return this.#upstream.reason;
  }

  abort(reason: Error): void {
    this.#upstream.abort(reason);
  }

  pause(): void {
    this.#stopped = true;
  }

  resume(): void {
    this.#upstream.resume();
  }
}
