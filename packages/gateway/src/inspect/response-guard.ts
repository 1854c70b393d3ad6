import type { ResponseInspection } from '@portcullis/contract/sites';
import { inspectResponse, type Leak } from '@portcullis/engine';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange/index.ts';
import type { HeldMemory } from '../limits/index.ts';
import { decodePrefix, type ReadableCoding } from './content-coding.ts';
import { LeakWindow } from './leak-window.ts';
import { inspectedCoding } from './response-scope.ts';

/** Bytes of an answer, as it comes off the wire, that are looked at as a whole. */
const maxPrefixBytes = 64 * 1024;

/** An answer that comes in drops is held this long, in milliseconds, and what follows is looked at on its way. */
const maxHoldMs = 1000;

export interface ResponseGuardOptions {
  readonly exchange: Exchange;
  readonly inspection: ResponseInspection;
  readonly memory: HeldMemory;
  /** where the leak is withheld the caller must answer in its place, where it is cut the caller must break off */
  readonly onLeak: (leak: Leak, what: LeakOutcome) => void;
  /** no memory to hold the answer. @returns whether it goes on unseen; else the caller must answer in its place */
  readonly onStarved: () => boolean;
}

/** What becomes of an answer with a leak: it passes, none of it goes out, or the rest of it does not. */
export type LeakOutcome = 'noticed' | 'withheld' | 'cut';

/** `open`: passes on; `following`: passes on what was looked at by itself; `watching`: passes on and keeps a copy; `holding`: passes nothing yet; `refused`: never will. */
type State = 'open' | 'following' | 'watching' | 'holding' | 'refused';

/** Looks into an upstream's answer on its way to `inner`, which passes it on to the client. */
export class ResponseGuard implements Dispatcher.DispatchHandler {
  readonly #inner: Dispatcher.DispatchHandler;
  readonly #options: ResponseGuardOptions;
  #state: State = 'open';
  #coding: ReadableCoding = 'identity';
  #controller: Dispatcher.DispatchController | undefined;
  /** passes the held head on */
  #start: () => void = () => undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #window: LeakWindow | undefined;

  constructor(inner: Dispatcher.DispatchHandler, options: ResponseGuardOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: object): void {
    this.#controller = controller;
    this.#inner.onRequestStart?.(controller, context);
  }

  /** Behind a switch of protocols there is no answer to look at. */
  onRequestUpgrade(
    ...switched: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestUpgrade']>>
  ): void {
    this.#inner.onRequestUpgrade?.(...switched);
  }

  onBodySent(chunk: Buffer): void {
    (this.#inner as { onBodySent?(chunk: Buffer): void }).onBodySent?.(chunk);
  }

  onResponseStart(...head: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>): void {
    const [controller, status] = head;
    const start = () => this.#inner.onResponseStart?.(...head);
    const { exchange, inspection } = this.#options;
    const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : [];
    const coding = inspectedCoding(exchange.method, status, raw);
    if (coding === undefined) {
      start();
      return;
    }
    this.#coding = coding;
    if (inspection.mode === 'log') {
      this.#state = 'watching';
      start();
      return;
    }
    this.#state = 'holding';
    // The head is there, though the relay is not to know of it yet.
    (this.#inner as { heard?(): void }).heard?.();
    this.#start = start;
    this.#timer = setTimeout(() => exchange.attempt(() => this.#judgeHeld()), maxHoldMs);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    switch (this.#state) {
      case 'open':
        this.#inner.onResponseData?.(controller, chunk);
        return;
      case 'following':
        this.#follow(controller, chunk);
        return;
      case 'watching':
        this.#inner.onResponseData?.(controller, chunk);
        if (!this.#hasRoom(chunk.length) || this.#keep(chunk)) this.#watched();
        return;
      case 'holding':
        if (!this.#options.memory.take(this.#options.exchange, chunk.length)) this.#starved(chunk);
        else if (this.#keep(chunk)) this.#judgeHeld();
        return;
      case 'refused':
        return;
    }
  }

  onResponseEnd(
    controller: Dispatcher.DispatchController,
    trailers: Record<string, string | string[]>,
  ): void {
    this.#ended = true;
    if (this.#state === 'watching') this.#watched();
    if (this.#state === 'holding') this.#judgeHeld();
    if (this.#state !== 'refused') this.#inner.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#timer);
    const refused = this.#state === 'refused';
    this.#state = 'refused';
    if (!refused) this.#inner.onResponseError?.(controller, error);
  }

  /** For a copy that is only to be told of nobody else gives way: without room, what came so far is looked at. */
  #hasRoom(bytes: number): boolean {
    const { memory, exchange } = this.#options;
    return memory.held + bytes <= memory.max && memory.take(exchange, bytes);
  }

  /** @returns whether enough is there to look at */
  #keep(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    return this.#length >= maxPrefixBytes;
  }

  #look(): Leak | undefined {
    const bytes = decodePrefix(this.#coding, Buffer.concat(this.#chunks).subarray(0, maxPrefixBytes));
    if (bytes === undefined || bytes.length === 0) return undefined;
    return inspectResponse(bytes.toString('latin1'), new Set(this.#options.inspection.kinds));
  }

  #watched(): void {
    const leak = this.#look();
    const chunks = this.#chunks;
    this.#state = leak ? 'open' : this.#goOn(chunks);
    this.#chunks = [];
    this.#options.memory.give(this.#options.exchange);
    if (leak) this.#options.onLeak(leak, 'noticed');
  }

  /** What comes compressed can be read from its beginning alone. @returns how the rest passes */
  #goOn(seen: readonly Buffer[]): State {
    if (this.#coding !== 'identity') return 'open';
    this.#window = new LeakWindow(new Set(this.#options.inspection.kinds), seen);
    return 'following';
  }

  #follow(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const leak = this.#window?.look(chunk);
    const cut = leak !== undefined && this.#options.inspection.mode === 'block';
    if (leak !== undefined || this.#window?.full === true) this.#state = 'open';
    if (cut) this.#refuse(() => this.#options.onLeak(leak, 'cut'));
    else this.#inner.onResponseData?.(controller, chunk);
    if (leak !== undefined && !cut) this.#options.onLeak(leak, 'noticed');
  }

  #judgeHeld(): void {
    const leak = this.#look();
    if (leak === undefined) this.#release(this.#goOn(this.#chunks));
    else this.#refuse(() => this.#options.onLeak(leak, 'withheld'));
  }

  #release(state: State): void {
    clearTimeout(this.#timer);
    this.#state = state;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#start();
    const controller = this.#controller;
    if (controller === undefined) return;
    for (const chunk of chunks) this.#inner.onResponseData?.(controller, chunk);
    this.#options.memory.give(this.#options.exchange);
  }

  #starved(chunk: Buffer): void {
    this.#chunks.push(chunk);
    if (this.#options.onStarved()) this.#release('open');
    else this.#refuse(() => undefined);
  }

  #refuse(answer: () => void): void {
    clearTimeout(this.#timer);
    this.#state = 'refused';
    this.#chunks = [];
    answer();
    const error = new Error('the answer was withheld');
    // Who waits for it waits no longer, else it would be kept for good.
    if (this.#controller) this.#inner.onResponseError?.(this.#controller, error);
    // What is left of the upstream's answer is of no use to anybody.
    if (!this.#ended) this.#controller?.abort(error);
  }
}
