import type { Delivery, EventSink } from '@portcullis/contract/link';
import type { Log } from '../log/index.ts';
import type { Connection } from './connection.ts';
import type { Envelope } from './envelope.ts';
import { names } from './names.ts';
import { isBelow } from './stream-id.ts';

/**
 * What a gateway holds of batches that the stream has and the database has not. Beyond it batches wait in the
 * gateway's spool, which also bounds what a fleet can put on the server while no service takes it off.
 */
const maxUnstoredBytes = 8 * 1024 * 1024;

interface Entry {
  /** in the stream */
  id: string;
  readonly sealed: Buffer;
}

const delivered: Delivery = { delivered: true };
const later = (reason: string): Delivery => ({ delivered: false, retry: true, reason });

/**
 * Appends a gateway's batches to the stream that services read. A server that comes back as another run may have
 * lost the end of the stream, and one that somebody emptied all of it: what is not known to be stored is then appended
 * again; the batch's id makes that harmless.
 */
export function createEventSink(
  connection: Connection,
  { envelope, log }: { readonly envelope: Envelope; readonly log: Log },
): EventSink {
  const { redis } = connection;
  const unstored = new Unstored(connection, log);
  redis.on('ready', () => void unstored.repeatLost());
  const tell = async (channel: string, sealed: Buffer): Promise<Delivery> => {
    try {
      await redis.publish(channel, sealed);
      return delivered;
    } catch (error) {
      return later((error as Error).message);
    }
  };
  return {
    async deliver(batch) {
      try {
        if (unstored.bytes >= maxUnstoredBytes) {
          await unstored.forgetStored();
          if (unstored.bytes >= maxUnstoredBytes) return later('no service takes events off the stream');
        }
        await unstored.append(envelope.seal(batch, 'batch'));
        return delivered;
      } catch (error) {
        return later((error as Error).message);
      }
    },
    async report(report) {
      const told = await tell(names.reports, envelope.seal(report, 'report'));
      await unstored.forgetStored().catch(() => undefined);
      return told;
    },
    sight: (sightings) => tell(names.sightings, envelope.seal(sightings, 'sightings')),
  };
}

/** What the stream has of this gateway and the database has not, as far as is known. */
class Unstored {
  readonly #redis: Connection['redis'];
  readonly #log: Log;
  readonly #entries = new Set<Entry>();
  #bytes = 0;
  /** of the server, which tells whether it is still the one that took the entries */
  #run: string | undefined;
  /** of the stream, which tells the same where somebody emptied the server; null before a service began to read it */
  #memory: string | null = null;

  constructor({ redis }: Connection, log: Log) {
    this.#redis = redis;
    this.#log = log;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async append(sealed: Buffer): Promise<void> {
    this.#entries.add({ id: await this.#add(sealed), sealed });
    this.#bytes += sealed.length;
  }

  async forgetStored(): Promise<void> {
    if (this.#entries.size === 0) return;
    const [threshold, memory = null] = await this.#redis.mget(names.stored, names.memory);
    if (memory === null) return;
    if (memory !== this.#memory) {
      await this.#repeat('what Redis had of events is gone');
      this.#memory = memory;
    } else if (threshold) this.#forgetBelow(threshold);
  }

  /** To be called at each connect. Never rejects. */
  async repeatLost(): Promise<void> {
    try {
      const run = /^run_id:(\w+)/m.exec(await this.#redis.info('server'))?.[1];
      const before = this.#run;
      if (before === undefined) this.#memory = await this.#redis.get(names.memory);
      await this.forgetStored();
      if (before !== undefined && before !== run) await this.#repeat('Redis is another run');
      this.#run = run;
    } catch {
      // It went again meanwhile: at the next connect it is still another run than the last one known.
    }
  }

  #forgetBelow(threshold: string): void {
    for (const entry of this.#entries) {
      if (!isBelow(entry.id, threshold)) continue;
      this.#entries.delete(entry);
      this.#bytes -= entry.sealed.length;
    }
  }

  async #repeat(why: string): Promise<void> {
    const entries = [...this.#entries];
    if (entries.length > 0)
      this.#log.info('Appends again what may be lost', { why, batches: entries.length });
    for (const entry of entries) entry.id = await this.#add(entry.sealed);
  }

  async #add(sealed: Buffer): Promise<string> {
    const id = await this.#redis.xadd(names.batches, '*', 'batch', sealed);
    if (id === null) throw new Error('the stream took nothing');
    return id;
  }
}
