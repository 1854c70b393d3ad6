import { type AccessLogFormat, accessLogFormats } from '@portcullis/contract/sites';
import type { Exchange } from '../exchange/index.ts';
import type { Log } from '../log.ts';
import { accessLine } from './access-line.ts';
import { LineFile } from './line-file.ts';

export interface AccessLogOptions {
  readonly folder: string;
  /** of the files of each format together */
  readonly maxBytes: number;
  readonly worker: string;
  readonly log: Log;
  /** told once others can be written again */
  readonly onLost: (lines: number) => void;
}

/** The access logs of the sites that want one: a file for each format, shared by all workers. */
export class AccessLog {
  readonly #options: AccessLogOptions;
  readonly #files: Readonly<Record<AccessLogFormat, LineFile>>;
  #told: string | undefined;

  constructor(options: AccessLogOptions) {
    this.#options = options;
    const { folder, maxBytes, worker } = options;
    const file = (format: AccessLogFormat) =>
      new LineFile({ folder, name: `${format}.log`, maxBytes, worker });
    this.#files = { json: file('json'), combined: file('combined') };
  }

  /** for who runs the gateway: why lines cannot be written; undefined while they can */
  get problem(): string | undefined {
    const reason = accessLogFormats.map((format) => this.#files[format].problem).find((one) => one);
    return reason && `The access log cannot be written (${reason.slice(0, 300)})`;
  }

  add(format: AccessLogFormat, exchange: Exchange, durationMs: number): void {
    this.#files[format].add(accessLine(format, exchange, durationMs));
  }

  /** Never rejects. */
  async flush(): Promise<void> {
    await this.#each((file) => file.flush());
    if (this.problem === undefined) this.#tellLost();
  }

  /** Writes what is left; what the disk refuses now is lost. */
  async close(): Promise<void> {
    await this.#each((file) => file.close());
    this.#tellLost();
  }

  async #each(write: (file: LineFile) => Promise<void>): Promise<void> {
    await Promise.all(accessLogFormats.map((format) => write(this.#files[format])));
    const { problem } = this;
    // Said once, not at each try.
    if (problem !== undefined && problem !== this.#told) this.#options.log.error(problem);
    this.#told = problem;
  }

  #tellLost(): void {
    const { log, onLost } = this.#options;
    const lost = accessLogFormats.reduce((sum, format) => sum + this.#files[format].takeDropped(), 0);
    if (lost === 0) return;
    log.error('Lines of the access log were lost', { lines: lost });
    onLost(lost);
  }
}
