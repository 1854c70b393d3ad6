import type { Dispatcher } from 'undici';

type Handler = Dispatcher.DispatchHandler;
type Arguments<K extends keyof Handler> = Parameters<NonNullable<Handler[K]>>;

/**
 * Passes on what undici says of a request until its end, then lets go. For each body that streams undici assigns a
 * function to a property, which holds its handler until the next full collection, see docs/decisions/024.
 */
export class Released implements Handler {
  #inner: Handler | undefined;

  constructor(inner: Handler) {
    this.#inner = inner;
  }

  onRequestStart(...start: Arguments<'onRequestStart'>): void {
    this.#inner?.onRequestStart?.(...start);
  }

  onBodySent(chunk: Buffer): void {
    (this.#inner as { onBodySent?(chunk: Buffer): void } | undefined)?.onBodySent?.(chunk);
  }

  onResponseStart(...head: Arguments<'onResponseStart'>): void {
    this.#inner?.onResponseStart?.(...head);
  }

  onResponseData(...data: Arguments<'onResponseData'>): void {
    this.#inner?.onResponseData?.(...data);
  }

  onResponseEnd(...end: Arguments<'onResponseEnd'>): void {
    const inner = this.#inner;
    this.#inner = undefined;
    inner?.onResponseEnd?.(...end);
  }

  onResponseError(...error: Arguments<'onResponseError'>): void {
    const inner = this.#inner;
    this.#inner = undefined;
    inner?.onResponseError?.(...error);
  }
}
