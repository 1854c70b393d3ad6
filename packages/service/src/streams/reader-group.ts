import { streamTimings } from '@portcullis/contract/streams';
import type { OpenedReader } from './door.ts';
import { frame } from './event-stream.ts';

/** Readers who all get the same, such as the figures of the host. */
export class ReaderGroup {
  readonly #readers = new Set<OpenedReader>();
  #heartbeat: NodeJS.Timeout | undefined;

  start(): void {
    this.#heartbeat = setInterval(() => {
      for (const { stream } of this.#readers) stream.send(frame('ping', {}), 0);
      // A storage that does not answer now is asked again at the next beat.
      this.recheck().catch(() => undefined);
    }, streamTimings.heartbeatMs);
    this.#heartbeat.unref();
  }

  stop(): void {
    clearInterval(this.#heartbeat);
    for (const { stream } of this.#readers) stream.end();
    this.#readers.clear();
  }

  add(reader: OpenedReader): void {
    this.#readers.add(reader);
    reader.stream.onClose(() => this.#readers.delete(reader));
  }

  /** Sends one event to all. */
  send(event: string, data: unknown): void {
    const text = frame(event, data);
    for (const { stream } of this.#readers) stream.send(text, 1);
  }

  /** Closes the streams of sessions that ended. */
  async recheck(): Promise<void> {
    for (const reader of [...this.#readers]) {
      if (await reader.isValid()) continue;
      this.#readers.delete(reader);
      reader.stream.end();
    }
  }
}
