import type { Writable } from 'node:stream';
import type { SecurityEvent } from '@portcullis/contract/events';
import { jsonLine } from './json-line.ts';

/** Lines that wait for who reads them; beyond it the newest are dropped. */
const maxWaiting = 5000;
/** A pipe takes so much whole: what several processes write there stays apart (POSIX `PIPE_BUF` on Linux). */
const maxLineBytes = 4096;

/** Tells events as lines of JSON on a stream, for a collector that reads it. A slow or absent one holds up nobody. */
export class EventLines {
  readonly #out: Writable;
  readonly #waiting: string[] = [];
  #writing = false;
  #gone = false;
  #dropped = 0;

  constructor(out: Writable) {
    this.#out = out;
    out.on('error', () => {
      this.#gone = true;
      this.#waiting.length = 0;
    });
  }

  add(event: SecurityEvent): void {
    if (this.#gone) return;
    if (this.#waiting.length >= maxWaiting) this.#dropped++;
    else this.#waiting.push(lineOf(event));
    this.#next();
  }

  /** One at a time: the stream would join what waits, and a pipe take it in parts. */
  #next(): void {
    if (this.#writing) return;
    const line = this.#waiting.shift() ?? this.#lossLine();
    if (line === undefined) return;
    this.#writing = true;
    this.#out.write(line, () => {
      this.#writing = false;
      this.#next();
    });
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
