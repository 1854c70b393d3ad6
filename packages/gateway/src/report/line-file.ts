import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Lines wait as bytes in pieces of this size, not as texts: those would outlive the collection of what is young, see
 * docs/decisions/024. No line is longer.
 */
const pieceBytes = 64 * 1024;
/** What one worker keeps of lines that are not on disk yet, 8 MiB; beyond it the newest are dropped. */
const maxPieces = 128;
/** Before a disk that refused is asked again. */
const restMs = 2000;
/** What may be kept is in so many files, so that a small part goes at a time. */
const filesKept = 8;

/** Lines that wait, from one place of its bytes to another. */
interface Piece {
  readonly bytes: Buffer;
  from: number;
  to: number;
}

export interface LineFileOptions {
  readonly folder: string;
  /** `json.log` */
  readonly name: string;
  /** of this file and those that were set aside before */
  readonly maxBytes: number;
  /** tells what this worker sets aside from what others do in the same millisecond */
  readonly worker: string;
}

/**
 * Lines of several processes in one file of bounded size. It is opened by its name for each batch and written at its end
 * in one call, so lines stay whole, and whoever renames it, this or another worker or logrotate, finds nobody holding
 * on to the old one.
 */
export class LineFile {
  readonly #options: LineFileOptions;
  readonly #file: string;
  /** the last one takes more, as long as it is not being written */
  #pieces: Piece[] = [];
  #open: Piece | undefined;
  #spare: Buffer | undefined;
  #dropped = 0;
  /** whether the file ends within a line */
  #torn = false;
  #problem: string | undefined;
  /** monotonic milliseconds */
  #retryAt = 0;
  #flushing: Promise<void> | undefined;

  constructor(options: LineFileOptions) {
    this.#options = options;
    this.#file = path.join(options.folder, options.name);
  }

  /** why nothing can be written, as of the last try; undefined while it can */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** @param line ASCII, ends with a line feed */
  add(line: string): void {
    const piece = this.#pieceFor(line.length);
    if (piece === undefined) this.#dropped++;
    else piece.to += piece.bytes.write(line, piece.to, 'latin1');
  }

  #pieceFor(bytes: number): Piece | undefined {
    const last = this.#open;
    if (last !== undefined && last.to + bytes <= pieceBytes) return last;
    if (this.#pieces.length >= maxPieces) return undefined;
    const piece = { bytes: this.#spare ?? Buffer.allocUnsafeSlow(pieceBytes), from: 0, to: 0 };
    this.#spare = undefined;
    this.#pieces.push(piece);
    this.#open = piece;
    return piece;
  }

  /** @returns lines dropped since the last call, then starts from zero */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  /** Writes what is pending. Calls while one is under way share it. Never rejects. */
  flush(): Promise<void> {
    if (this.#pieces.length === 0 || performance.now() < this.#retryAt) return this.#flushing ?? done;
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  /** Tries once more, however lately the disk refused, and drops what cannot be written. */
  async close(): Promise<void> {
    await this.#flushing;
    this.#retryAt = 0;
    await this.flush();
    for (const { bytes, from, to } of this.#pieces) this.#dropped += linesIn(bytes.subarray(from, to));
    this.#pieces = [];
    this.#open = undefined;
  }

  async #flush(): Promise<void> {
    try {
      for (let piece = this.#pieces[0]; piece !== undefined; piece = this.#pieces[0])
        await this.#write(piece);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      this.#retryAt = performance.now() + restMs;
    }
  }

  async #write(piece: Piece): Promise<void> {
    if (this.#open === piece) this.#open = undefined;
    // What another worker writes behind half a line of ours would be lost with it.
    if (this.#torn) await this.#append(lineFeed);
    this.#torn = false;
    const { bytes, from, to } = piece;
    const taken = await this.#append(bytes.subarray(from, to));
    piece.from += taken;
    if (piece.from === to) {
      this.#pieces.shift();
      this.#spare = bytes;
      return;
    }
    this.#torn = taken > 0 && bytes[piece.from - 1] !== lineFeed[0];
    if (this.#torn) {
      this.#dropped++;
      piece.from = bytes.indexOf('\n', piece.from) + 1;
      if (piece.from === to) this.#pieces.shift();
    }
    throw new Error('the disk took a part of it');
  }

  /** @returns how many of the bytes the disk took */
  async #append(bytes: Buffer): Promise<number> {
    const file = await this.#openFor(bytes.length);
    try {
      return (await file.write(bytes)).bytesWritten;
    } finally {
      await file.close();
    }
  }

  /** @param bytes that are to go in */
  async #openFor(bytes: number): Promise<FileHandle> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o750 });
    const file = await open(this.#file, 'a', 0o640);
    const { size, ino } = await file.stat();
    if (size === 0 || size + bytes <= this.#options.maxBytes / filesKept) return file;
    await file.close();
    await this.#setAside(ino);
    return open(this.#file, 'a', 0o640);
  }

  /** @param ino of the full file: another worker may have been faster */
  async #setAside(ino: number): Promise<void> {
    const { worker } = this.#options;
    try {
      if ((await stat(this.#file)).ino !== ino) return;
      await rename(this.#file, `${this.#file}.${new Date().toISOString().replaceAll(':', '-')}-${worker}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    await this.#prune();
  }

  /** Removes the oldest that were set aside, those of all workers, until there is room for one more file. */
  async #prune(): Promise<void> {
    const { folder, name, maxBytes } = this.#options;
    const aside = (await readdir(folder)).filter((one) => one.startsWith(`${name}.`)).sort();
    const sizes = await Promise.all(aside.map((one) => sizeOf(path.join(folder, one))));
    let all = sizes.reduce((sum, size) => sum + size, 0);
    for (const [index, one] of aside.entries()) {
      if (all <= maxBytes - maxBytes / filesKept) return;
      await rm(path.join(folder, one), { force: true });
      all -= sizes[index] ?? 0;
    }
  }
}

const done = Promise.resolve();
const lineFeed = Buffer.from('\n');

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** 0 where another worker was faster. */
async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.size ?? 0;
}
