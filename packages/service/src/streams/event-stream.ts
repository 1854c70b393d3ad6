import type { ServerResponse } from 'node:http';

/** Bytes that may wait in a reader's socket before entries are left out for it. */
const maxWaitingBytes = 1024 * 1024;

/** One reader of server-sent events. @see WHATWG HTML §9.2 */
export class EventStream {
  readonly #response: ServerResponse;
  #missed = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  open(headers: Readonly<Record<string, string>>): void {
    this.#response.writeHead(200, {
      ...headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // A proxy in front, nginx among them, would hold entries back until its buffer is full.
      'X-Accel-Buffering': 'no',
      Connection: 'keep-alive',
    });
    this.#response.flushHeaders();
  }

  get closed(): boolean {
    return this.#response.closed || this.#response.destroyed;
  }

  /** @param listener called at once where the reader has gone already, while it was asked who it is */
  onClose(listener: () => void): void {
    if (this.closed) listener();
    else this.#response.on('close', listener);
  }

  /**
   * Sends ready-made text, or counts what it stands for as missed while the reader is too slow for it.
   * @param entries how many entries the text holds
   */
  send(text: string | Buffer, entries: number): void {
    if (this.closed) return;
    if (this.#response.writableLength > maxWaitingBytes) {
      this.#missed += entries;
      return;
    }
    if (this.#missed > 0) {
      const missed = this.#missed;
      this.#missed = 0;
      this.#response.write(frame('missed', { missed }));
    }
    this.#response.write(text);
  }

  /** Tells the reader to come back, and ends. */
  end(): void {
    if (this.closed) return;
    this.#response.end(frame('reconnect', {}));
  }
}

/** @returns one event as it goes over the wire */
export function frame(event: string, data: unknown, id?: string): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  // JSON has no line breaks, so one data line holds it.
  return `${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
