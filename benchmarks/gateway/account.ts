import { closeSync, openSync, readSync } from 'node:fs';

/** What the scheduler knows of one thread, in nanoseconds. @see proc_pid_schedstat(5) */
export class Account {
  readonly #file: number;
  readonly #bytes = Buffer.alloc(64);
  workMs = 0;
  waitedMs = 0;

  /** @param of a process's main thread by its id, or `thread-self` */
  constructor(of: string) {
    this.#file = openSync(`/proc/${of}/schedstat`, 'r');
  }

  read(): void {
    const length = readSync(this.#file, this.#bytes, 0, this.#bytes.length, 0);
    const [work, waited] = this.#bytes.toString('latin1', 0, length).split(' ');
    this.workMs = Number(work) / 1e6;
    this.waitedMs = Number(waited) / 1e6;
  }

  close(): void {
    closeSync(this.#file);
  }
}
