import type { ResponseInspection } from '@portcullis/contract/sites';
import { inspectResponse, type Leak } from '@portcullis/engine';
import type { LeakKind } from '@portcullis/engine/vocabulary';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange/index.ts';
import type { HeldMemory } from '../limits/index.ts';
import { CodedWindow } from './coded-window.ts';
import { decodePrefix, type Progress, type ReadableCoding } from './content-coding.ts';
import { HeldPiece } from './held-piece.ts';
import { LeakWindow } from './leak-window.ts';
import { inspectedCoding } from './response-scope.ts';

/** Bytes of an answer, as it comes off the wire, that are waited for and looked at as a whole with what came along. */
const minPrefixBytes = 64 * 1024;

/** An answer that comes in drops is held this long, in milliseconds, and what follows is looked at on its way. */
const maxHoldMs = 1000;

const nothing = Buffer.alloc(0);

export interface ResponseGuardOptions {
  readonly exchange: Exchange;
  readonly inspection: ResponseInspection;
  readonly memory: HeldMemory;
  /** for the decoders that follow compressed answers: a share of its own, so that uploads are not pressed out */
  readonly decoding: HeldMemory;
  /** where the leak is withheld the caller must answer in its place, where it is cut the caller must break off */
  readonly onLeak: (leak: Leak, what: LeakOutcome) => void;
  /**
   * No memory to look at the answer.
   * @param started whether part of it is out
   * @returns whether it goes on unseen, as what is only told of must; else the caller must answer in its place, or
   * break off where it started
   */
  readonly onStarved: (started: boolean) => boolean;
  /**
   * The answer, or the rest of it, is coded in a way that cannot be read; otherwise as `onStarved`.
   * @param status the upstream's
   */
  readonly onUndecoded: (status: number, started: boolean) => boolean;
}

/** What becomes of an answer with a leak: it passes, none of it goes out, or the rest of it does not. */
export type LeakOutcome = 'noticed' | 'withheld' | 'cut';

/** `open`: passes on; `following`: passes on what was looked at by itself; `watching`: passes on and keeps a copy; `holding`: passes nothing yet; `judging`: neither, and waits to be told; `refused`: never will. */
type State = 'open' | 'following' | 'watching' | 'holding' | 'judging' | 'refused';

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
  /** the upstream, where it was stopped while the beginning was looked at */
  #held: HeldPiece | undefined;
  #status = 0;
  /** where it comes compressed */
  #coded: CodedWindow | undefined;
  /** the end came, and is not passed on yet: a piece before it is still being looked at */
  #trailers: Record<string, string | string[]> | undefined;

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
    this.#status = status;
    const start = () => this.#inner.onResponseStart?.(...head);
    const { exchange, inspection } = this.#options;
    const raw = Array.isArray(controller.rawHeaders) ? controller.rawHeaders : [];
    const coding = inspectedCoding(exchange.method, status, raw);
    // Who goes on with a download has the beginning. Where answers are withheld none of it was asked for compressed, and
    // byte by byte a client would get what it may not have.
    if (coding === undefined || (coding === 'middle' && inspection.mode === 'log')) {
      start();
      return;
    }
    if (coding === 'unread' || coding === 'middle') {
      if (this.#options.onUndecoded(status, false)) start();
      else this.#refuse(() => undefined);
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
      // What came along though it was paused.
      case 'judging':
        this.#chunks.push(chunk);
        if (this.#coded?.full === false) this.#lookOn(this.#coded, chunk);
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
    this.#trailers = trailers;
    this.#finish(controller);
  }

  /** Passes the end on, where it came and all before it was looked at. */
  #finish(controller: Dispatcher.DispatchController): void {
    const trailers = this.#trailers;
    if (trailers === undefined || this.#state === 'judging' || this.#coded?.busy === true) return;
    this.#trailers = undefined;
    this.#coded?.close();
    if (this.#going) this.#inner.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#timer);
    const refused = this.#state === 'refused';
    this.#state = 'refused';
    this.#coded?.close();
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
    return this.#length >= minPrefixBytes;
  }

  /** @returns the beginning as text was written there */
  #decoded(): Buffer | 'much' | 'damaged' {
    return decodePrefix(this.#coding, Buffer.concat(this.#chunks));
  }

  #look(bytes: Buffer | 'much' | 'damaged'): Leak | undefined {
    if (typeof bytes === 'string' || bytes.length === 0) return undefined;
    return inspectResponse(bytes.toString('latin1'), this.#kinds());
  }

  #watched(): void {
    const bytes = this.#decoded();
    const leak = this.#look(bytes);
    this.#options.memory.give(this.#options.exchange);
    const goesOn = leak === undefined && bytes !== 'damaged' && (bytes === 'much' || !this.#ended);
    const follows = goesOn && this.#follows(bytes);
    this.#state = follows ? 'following' : 'open';
    this.#chunks = [];
    if (leak) this.#options.onLeak(leak, 'noticed');
    else if (bytes === 'damaged') this.#options.onUndecoded(this.#status, true);
    else if (goesOn && !follows) this.#options.onStarved(true);
  }

  #judgeHeld(): void {
    const bytes = this.#decoded();
    const leak = this.#look(bytes);
    if (leak !== undefined) this.#refuse(() => this.#options.onLeak(leak, 'withheld'));
    else if (bytes === 'damaged') this.#undecoded();
    else if (bytes === 'much') this.#judgeMuch();
    else if (this.#ended) this.#release('open');
    else if (this.#follows(bytes)) this.#release('following');
    else this.#starve();
  }

  /** The beginning decodes to more than is looked at in one turn: it is held until all of it was. */
  #judgeMuch(): void {
    clearTimeout(this.#timer);
    if (this.#controller !== undefined) this.#held = new HeldPiece(this.#controller);
    this.#state = 'judging';
    if (!this.#followsCoded(nothing)) this.#starve();
  }

  /** @param seen what the beginning decoded to. @returns false where there is no memory to look at the rest on its way */
  #follows(seen: Buffer | 'much'): boolean {
    if (seen === 'much') return this.#followsCoded(nothing);
    if (this.#coding !== 'identity') return this.#followsCoded(seen);
    this.#window = new LeakWindow(this.#kinds(), seen);
    return true;
  }

  #followsCoded(seen: Buffer): boolean {
    if (this.#coding === 'identity') return false;
    const window = new LeakWindow(this.#kinds(), seen);
    const { decoding, exchange, inspection } = this.#options;
    this.#coded = new CodedWindow(window, decoding);
    return this.#coded.open(
      {
        coding: this.#coding,
        seen: Buffer.concat(this.#chunks),
        mayPress: inspection.mode === 'block',
        giveWay: () => exchange.attempt(() => this.#giveWay()),
        attempt: (step) => exchange.attempt(step),
      },
      (leak, progress) => exchange.attempt(() => this.#judgeSeen(leak, progress)),
    );
  }

  /** What the beginning decodes to beyond what was judged of it may be out already: the rest must not follow. */
  #judgeSeen(leak: Leak | undefined, progress: Progress): void {
    if (this.#state === 'judging') this.#judgeAll(leak, progress);
    else this.#met(leak, progress);
    if (this.#controller !== undefined) this.#finish(this.#controller);
  }

  #judgeAll(leak: Leak | undefined, progress: Progress): void {
    if (leak !== undefined) this.#refuse(() => this.#options.onLeak(leak, 'withheld'));
    else if (progress === 'damaged') this.#undecoded();
    else if (this.#coded?.busy !== true)
      this.#release(this.#ended || this.#coded?.full === true ? 'open' : 'following');
  }

  #lookOn(coded: CodedWindow, chunk: Buffer): void {
    coded.look(chunk, (leak, progress) =>
      this.#options.exchange.attempt(() => this.#judgeSeen(leak, progress)),
    );
  }

  /** The memory of this answer's decoder is needed for another's. */
  #giveWay(): void {
    if (this.#state === 'judging') {
      this.#starve();
      this.#coded?.close();
      return;
    }
    if (this.#state !== 'following') return;
    if (!this.#options.onStarved(true)) {
      this.#refuse(() => undefined);
      return;
    }
    this.#state = 'open';
    this.#coded?.close();
  }

  #follow(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const coded = this.#coded;
    if (coded === undefined || coded.full) {
      this.#met(coded === undefined ? this.#window?.look(chunk) : undefined, 'decoded');
      this.#passOn(controller, chunk, (coded ?? this.#window)?.full === true);
      return;
    }
    const held = new HeldPiece(controller);
    coded.look(chunk, (leak, progress) => {
      this.#options.exchange.attempt(() => {
        if (!this.#going) return;
        this.#met(leak, progress);
        this.#passOn(held, chunk, coded.full);
        if (this.#going && !this.#ended) held.release();
        this.#finish(controller);
      });
    });
  }

  get #going(): boolean {
    return this.#state !== 'refused';
  }

  #passOn(controller: Dispatcher.DispatchController, chunk: Buffer, last: boolean): void {
    if (!this.#going) return;
    if (last) this.#state = 'open';
    this.#inner.onResponseData?.(controller, chunk);
  }

  /** What looking at the next piece came to. */
  #met(leak: Leak | undefined, progress: Progress): void {
    if (this.#state !== 'following') return;
    if (leak !== undefined) this.#found(leak);
    else if (progress === 'damaged') {
      if (this.#options.onUndecoded(this.#status, true)) this.#state = 'open';
      else this.#refuse(() => undefined);
    }
  }

  /** Something was found behind the beginning. */
  #found(leak: Leak): void {
    if (this.#options.inspection.mode === 'block') {
      this.#refuse(() => this.#options.onLeak(leak, 'cut'));
      return;
    }
    this.#state = 'open';
    this.#options.onLeak(leak, 'noticed');
  }

  #kinds(): ReadonlySet<LeakKind> {
    return new Set(this.#options.inspection.kinds);
  }

  #release(state: State): void {
    clearTimeout(this.#timer);
    this.#state = state;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#start();
    const controller = this.#held ?? this.#controller;
    if (controller === undefined) return;
    for (const chunk of chunks) this.#inner.onResponseData?.(controller, chunk);
    this.#options.memory.give(this.#options.exchange);
    if (!this.#ended) this.#held?.release();
  }

  #starved(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#starve();
  }

  #undecoded(): void {
    if (this.#options.onUndecoded(this.#status, false)) this.#release('open');
    else this.#refuse(() => undefined);
  }

  #starve(): void {
    if (this.#options.onStarved(false)) this.#release('open');
    else this.#refuse(() => undefined);
  }

  #refuse(answer: () => void): void {
    clearTimeout(this.#timer);
    this.#state = 'refused';
    this.#chunks = [];
    this.#coded?.close();
    answer();
    const error = new Error('the answer was withheld');
    // Who waits for it waits no longer, else it would be kept for good.
    if (this.#controller) this.#inner.onResponseError?.(this.#controller, error);
    // What is left of the upstream's answer is of no use to anybody.
    if (!this.#ended) this.#controller?.abort(error);
  }
}
