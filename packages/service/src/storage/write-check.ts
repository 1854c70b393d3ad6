import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';
import { type StorageErrorKind, storageErrorKind } from './storage-error.ts';

/** A write that was just tried speaks for this long, so that whoever asks often does not write often. */
const goodForMs = { taken: 10_000, refused: 1000 };

/**
 * Characters that are written: a little is enough to see that a disk is full. After something was refused it is more
 * than most batches of events, for a disk with room for a few pages would else be said to be well.
 */
const lengths = { taken: 1024, refused: 262_144 };

/** A write that waits for longer ones before it says nothing yet. */
const patienceMs = 2000;

const key = 'write_check';

/** What one refused transaction says of all. */
const lasting: Partial<Record<StorageErrorKind, string>> = {
  full: 'the disk of the database is full',
  read_only: 'the database is read-only',
};

/** Others may wait for one another; that this write waited in vain says that nobody gets through. */
const reasons: typeof lasting = { ...lasting, busy: 'another program holds the database locked' };

/** Knows whether the database takes what is written to it, by what it refused last and by trying. */
export class WriteCheck {
  readonly #db: Kysely<Database>;
  #reason: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | undefined;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** To be told how a transaction failed. */
  failed(error: unknown): void {
    const kind = storageErrorKind(error);
    const reason = kind && lasting[kind];
    if (reason !== undefined) this.#reason = reason;
  }

  /** @returns why writes fail, undefined while they are taken. Never throws */
  async whyRefused(): Promise<string | undefined> {
    const goodFor = this.#reason === undefined ? goodForMs.taken : goodForMs.refused;
    if (performance.now() - this.#checkedAt >= goodFor) {
      this.#checking ??= this.#check().finally(() => {
        this.#checking = undefined;
      });
    }
    if (this.#checking) await Promise.race([this.#checking, patience()]);
    return this.#reason;
  }

  async #check(): Promise<void> {
    try {
      const value = incompressible(this.#reason === undefined ? lengths.taken : lengths.refused);
      await this.#db
        .insertInto('meta')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
      await this.#db.deleteFrom('meta').where('key', '=', key).execute();
      this.#reason = undefined;
    } catch (error) {
      const kind = storageErrorKind(error);
      this.#reason = (kind && reasons[kind]) ?? 'the database refuses what is written';
    }
    this.#checkedAt = performance.now();
  }
}

/** PostgreSQL would make one letter, however often, a few bytes. */
function incompressible(length: number): string {
  return randomBytes((length * 3) / 4).toString('base64');
}

function patience(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, patienceMs).unref();
  });
}
