import type { AuditEntry } from '@portcullis/contract/events';
import { streamTimings } from '@portcullis/contract/streams';
import { type EventStream, frame } from './event-stream.ts';

/** Entries that a reader who comes back can still be given. */
const kept = 2000;

/** Entries are sent together this often: many readers at many entries a second would else mean a write for each. */
const flushEveryMs = 50;

export interface LogFilter {
  readonly siteId?: string | undefined;
  readonly level?: string | undefined;
}

interface Kept {
  readonly seq: number;
  readonly entry: AuditEntry;
  readonly text: string;
}

interface Reader {
  readonly stream: EventStream;
  readonly filter: LogFilter;
  /** still signed in and permitted */
  isValid(): Promise<boolean>;
}

const fits = ({ siteId, level }: LogFilter, entry: AuditEntry) =>
  (siteId === undefined || entry.siteId === siteId) && (level === undefined || entry.level === level);

/**
 * Hands log entries to every reader whose filter they fit. Entries are made to text once, and once for each
 * distinct filter, however many readers there are.
 */
export class LogHub {
  readonly #readers = new Set<Reader>();
  readonly #onWatched: (active: boolean) => void;
  /** ids of another run of the service mean nothing here */
  readonly #run: string;
  readonly #onReader: (() => void)[] = [];
  #recent: Kept[] = [];
  #waiting: Kept[] = [];
  #seq = 0;
  #watched = false;
  #flushing: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  /** @param onWatched told when the first reader of plain passes comes and when the last one goes */
  constructor(run: string, onWatched: (active: boolean) => void) {
    this.#run = run;
    this.#onWatched = onWatched;
  }

  /** whether somebody reads plain passes */
  get watched(): boolean {
    return this.#watched;
  }

  /** whether somebody reads at all */
  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** @param listener told of each reader that comes */
  onReader(listener: () => void): void {
    this.#onReader.push(listener);
  }

  start(): void {
    this.#heartbeat = setInterval(() => {
      // A storage that does not answer now is asked again at the next beat.
      this.#beat().catch(() => undefined);
    }, streamTimings.heartbeatMs);
    this.#heartbeat.unref();
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#flushing);
    for (const { stream } of this.#readers) stream.end();
    this.#readers.clear();
  }

  /** @param entries oldest first */
  publish(entries: readonly AuditEntry[]): void {
    for (const entry of entries) {
      this.#seq += 1;
      const item = { seq: this.#seq, entry, text: frame('log', entry, `${this.#run}-${this.#seq}`) };
      this.#recent.push(item);
      this.#waiting.push(item);
    }
    if (this.#recent.length > kept * 2) this.#recent = this.#recent.slice(-kept);
    this.#flushing ??= setTimeout(() => this.#flush(), flushEveryMs);
  }

  /** @param lastEventId what the reader has seen last, where it comes back */
  add(reader: Reader, lastEventId: string | undefined): void {
    // What waits is sent first, so that the newcomer does not get it twice.
    this.#flush();
    const { stream } = reader;
    stream.send(`retry: ${streamTimings.reconnectMs}\n`, 0);
    if (lastEventId !== undefined) this.#resume(reader, lastEventId);
    // Last, and with its place, so that who gets nothing else can go on from here too.
    stream.send(this.#ping(), 0);
    this.#readers.add(reader);
    for (const listener of this.#onReader) listener();
    stream.onClose(() => {
      this.#readers.delete(reader);
      this.#tellWatched();
    });
    this.#tellWatched();
  }

  /** Closes the streams of sessions that ended. */
  async recheck(): Promise<void> {
    for (const reader of [...this.#readers]) {
      if (await reader.isValid()) continue;
      this.#readers.delete(reader);
      reader.stream.end();
    }
    this.#tellWatched();
  }

  async #beat(): Promise<void> {
    this.#flush();
    const ping = this.#ping();
    for (const { stream } of this.#readers) stream.send(ping, 0);
    await this.recheck();
  }

  #ping(): string {
    return frame('ping', {}, `${this.#run}-${this.#seq}`);
  }

  /** Sends what came since, and says so where the buffer does not reach back that far. */
  #resume({ stream, filter }: Reader, lastEventId: string): void {
    const [run, seq = ''] = lastEventId.split('-');
    const last = run === this.#run && /^\d{1,15}$/.test(seq) ? Number(seq) : undefined;
    const oldest = this.#recent[0]?.seq ?? this.#seq + 1;
    if (last === undefined || last < oldest - 1) stream.send(frame('gap', {}), 0);
    if (last === undefined) return;
    const since = this.#recent.filter(({ seq, entry }) => seq > last && fits(filter, entry));
    if (since.length > 0) stream.send(since.map(({ text }) => text).join(''), since.length);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    // As bytes, so that a text that two hundred read is encoded once.
    const texts = new Map<string, { text: Buffer; entries: number }>();
    for (const { stream, filter } of this.#readers) {
      const key = `${filter.siteId ?? ''} ${filter.level ?? ''}`;
      let ready = texts.get(key);
      if (!ready) {
        const fitting = waiting.filter(({ entry }) => fits(filter, entry));
        const text = Buffer.from(fitting.map((item) => item.text).join(''));
        ready = { text, entries: fitting.length };
        texts.set(key, ready);
      }
      if (ready.entries > 0) stream.send(ready.text, ready.entries);
    }
  }

  #tellWatched(): void {
    const watched = [...this.#readers].some(({ filter }) => (filter.level ?? 'debug') === 'debug');
    if (watched === this.#watched) return;
    this.#watched = watched;
    this.#onWatched(watched);
  }
}
