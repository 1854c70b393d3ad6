import type { ResponseInspection } from '@portcullis/contract/sites';
import { inspectResponse, type Leak } from '@portcullis/engine';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange/index.ts';
import type { HeldMemory } from '../limits/index.ts';
import { decodePrefix, type ReadableCoding } from './content-coding.ts';
import { inspectedCoding } from './response-scope.ts';

/** Bytes of an answer, as it comes off the wire, that are looked at. */
const maxPrefixBytes = 64 * 1024;

/** An answer that comes in drops is held this long, in milliseconds, and then goes on with what follows unseen. */
const maxHoldMs = 1000;

export interface ResponseGuardOptions {
  readonly exchange: Exchange;
  readonly inspection: ResponseInspection;
  readonly memory: HeldMemory;
  /** @param withheld whether nothing of the answer went out and the caller must answer in its place */
  readonly onLeak: (leak: Leak, withheld: boolean) => void;
  /** no memory to hold the answer. @returns whether it goes on unseen; else the caller must answer in its place */
  readonly onStarved: () => boolean;
}

/** `open`: passes on; `watching`: passes on and keeps a copy; `holding`: passes nothing yet; `refused`: never will. */
type State = 'open' | 'watching' | 'holding' | 'refused';

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
    this.#state = 'open';
    this.#chunks = [];
    this.#options.memory.give(this.#options.exchange);
    if (leak) this.#options.onLeak(leak, false);
  }

  #judgeHeld(): void {
    const leak = this.#look();
    if (leak === undefined) this.#release();
    else this.#refuse(() => this.#options.onLeak(leak, true));
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#state = 'open';
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
    if (this.#options.onStarved()) this.#release();
    else this.#refuse(() => undefined);
  }

  #refuse(answer: () => void): void {
    clearTimeout(this.#timer);
    this.#state = 'refused';
    this.#chunks = [];
    answer();
    // What is left of the upstream's answer is of no use to anybody.
    if (!this.#ended) this.#controller?.abort(new Error('the answer was withheld'));
  }
}
