import type { Writable } from 'node:stream';
import type { SecurityEvent } from '@portcullis/contract/events';
import type { Log } from '../log.ts';
import { jsonLine } from './json-line.ts';

/** Lines that wait for who reads them; beyond it the newest are dropped. */
const maxWaiting = 5000;
/** A pipe takes so much whole: what several processes write there stays apart (POSIX `PIPE_BUF` on Linux). */
const maxLineBytes = 4096;

/** How long the last lines may take where nobody reads. */
const closePatienceMs = 2000;

/** Tells events as lines of JSON on a stream, for a collector that reads it. A slow or absent one holds up nobody. */
export class EventLines {
  readonly #out: Writable;
  readonly #log: Log;
  readonly #waiting: string[] = [];
  #writing = false;
  #gone = false;
  #dropped = 0;
  #problem: string | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(out: Writable, log: Log) {
    this.#out = out;
    this.#log = log;
    // Whoever writes is told too.
    out.on('error', () => undefined);
  }

  /** for who runs the gateway: why lines cannot be written, as of the last try; undefined while they can */
  get problem(): string | undefined {
    return this.#problem;
  }

  add(event: SecurityEvent): void {
    if (this.#gone) return;
    if (this.#waiting.length >= maxWaiting) this.#dropped++;
    else this.#waiting.push(lineOf(event));
    this.#next();
  }

  /** Resolves once all lines are written, or nobody has read them in time. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closePatienceMs);
    this.#onEmpty = resolve;
    this.#next();
    await promise;
    clearTimeout(timer);
  }

  /** One at a time: the stream would join what waits, and a pipe take it in parts. */
  #next(): void {
    if (this.#writing) return;
    const line = this.#gone ? undefined : (this.#waiting.shift() ?? this.#lossLine());
    if (line === undefined) {
      this.#onEmpty?.();
      return;
    }
    this.#writing = true;
    this.#out.write(line, (error) => {
      this.#writing = false;
      if (error) this.#failed(error);
      else {
        this.#problem = undefined;
        this.#next();
      }
    });
  }

  /** A full disk is tried again with the next event; a reader that has gone does not come back. */
  #failed(error: NodeJS.ErrnoException): void {
    const problem = `Events cannot be written to the standard output (${error.message.slice(0, 300)})`;
    if (this.#problem === undefined) this.#log.error(problem);
    this.#problem = problem;
    this.#dropped++;
    this.#gone = error.code !== 'ENOSPC';
    if (this.#gone) this.#waiting.length = 0;
    this.#onEmpty?.();
  }

  #lossLine(): string | undefined {
    if (this.#dropped === 0) return undefined;
    const count = this.#dropped;
    this.#dropped = 0;
    const message = `${count} events are missing here: nobody read them in time`;
    return jsonLine({ time: new Date().toISOString(), kind: 'engine', level: 'error', message, count });
  }
}

/** As much of it as a line may have: the evidence goes first, then the ends of what the client sent. */
function lineOf(event: SecurityEvent): string {
  const told = { ...event, time: new Date(event.time).toISOString() };
  const cut = (bytes: number) => ({
    matches: [],
    path: event.path.slice(0, bytes),
    userAgent: event.userAgent.slice(0, bytes),
    message: event.message.slice(0, bytes),
  });
  for (const less of [{}, { matches: event.matches.slice(0, 1) }, { matches: [] }, cut(256)]) {
    const line = jsonLine({ ...told, ...less });
    if (line.length <= maxLineBytes) return line;
  }
  return jsonLine({ ...told, ...cut(64) });
}
