import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EventBatch } from '@portcullis/contract/link';

interface Entry {
  readonly file: string;
  /** when it was kept, monotonic milliseconds: a clock that is set makes nothing older */
  readonly since: number;
  readonly bytes: number;
  readonly events: number;
}

/**
 * Batches that wait on disk until the sink takes them, oldest first, one file each, under a byte cap. What the
 * cap pushes out is counted.
 */
export class Spool {
  readonly #folder: string;
  readonly #maxBytes: number;
  #entries: Entry[] = [];
  #bytes = 0;
  #sequence = 0;
  #dropped = 0;

  /** @param options.folder belongs to this worker alone */
  constructor(options: { folder: string; maxBytes: number }) {
    this.#folder = options.folder;
    this.#maxBytes = options.maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** how long the oldest batch has waited; undefined where none does */
  get oldestMs(): number | undefined {
    const oldest = this.#entries[0];
    return oldest && performance.now() - oldest.since;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Finds what an earlier life of this worker left. Rejects where the folder cannot be made or read. */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const found = await readdir(this.#folder);
    // Halves that a crash left take room and are nobody's.
    for (const name of found)
      if (name.endsWith('.part')) await rm(path.join(this.#folder, name), { force: true });
    const names = found.filter((name) => /^\d{12}-\d+-.+\.json$/.test(name)).sort();
    for (const name of names) {
      const file = path.join(this.#folder, name);
      const { size, mtimeMs } = await stat(file);
      const since = performance.now() - Math.max(0, Date.now() - mtimeMs);
      this.#entries.push({ file, since, bytes: size, events: Number(name.split('-')[1]) });
      this.#bytes += size;
      this.#sequence = Math.max(this.#sequence, Number(name.slice(0, 12)) + 1);
    }
  }

  /** Keeps a batch. Rejects where the disk refuses it; then nothing of it is kept. */
  async put(batch: EventBatch): Promise<void> {
    const text = JSON.stringify(batch);
    const bytes = Buffer.byteLength(text);
    await this.#makeRoom(bytes);
    const number = String(this.#sequence++).padStart(12, '0');
    const file = path.join(this.#folder, `${number}-${batch.events.length}-${batch.id}.json`);
    // Written aside, then renamed: a crash leaves a whole batch or none.
    try {
      await writeFile(`${file}.part`, text);
      await rename(`${file}.part`, file);
    } catch (error) {
      // Half a batch on a full disk would keep it full.
      await rm(`${file}.part`, { force: true }).catch(() => undefined);
      throw error;
    }
    this.#entries.push({ file, since: performance.now(), bytes, events: batch.events.length });
    this.#bytes += bytes;
  }

  /** Rejects while the disk takes nothing. */
  async probe(): Promise<void> {
    const file = path.join(this.#folder, 'probe.part');
    try {
      await writeFile(file, ' '.repeat(4096));
    } finally {
      await rm(file, { force: true });
    }
  }

  /**
   * A file that cannot be read counts as dropped.
   * @returns the oldest batch, or undefined when there is none. Rejects where the system cannot read now
   */
  async oldest(): Promise<EventBatch | undefined> {
    for (;;) {
      const entry = this.#entries[0];
      if (entry === undefined) return undefined;
      const batch = await readBatch(entry.file);
      if (batch !== undefined) return batch;
      this.#dropped += entry.events;
      await this.removeOldest();
    }
  }

  /** To be called once the oldest batch was delivered. */
  async removeOldest(): Promise<void> {
    const entry = this.#entries.shift();
    if (entry === undefined) return;
    this.#bytes -= entry.bytes;
    await rm(entry.file, { force: true });
  }

  /** @returns events dropped since the last call, then starts from zero */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  async #makeRoom(bytes: number): Promise<void> {
    while (this.#entries.length > 0 && this.#bytes + bytes > this.#maxBytes) {
      this.#dropped += this.#entries[0]?.events ?? 0;
      await this.removeOldest();
    }
  }
}

/** What the system lacks at the moment says nothing of the file. */
const passing: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

async function readBatch(file: string): Promise<EventBatch | undefined> {
  try {
    return EventBatch.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (passing.has((error as NodeJS.ErrnoException).code)) throw error;
    return undefined;
  }
}
