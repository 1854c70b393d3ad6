import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** How long an answer may stand in for one that cannot be had, in milliseconds: RFC 8767 §4 asks for one to three days. */
const maxStaleMs = 86_400_000;

/** How long a name server may be silent before the last answer stands in, in milliseconds: RFC 8767 §5. */
const patienceMs = 1800;

/** How long a failure is told of after the look-up that saw it, in milliseconds: who is not asked for tells nothing new. */
const youngMs = 300_000;

type Asker = Parameters<LookupFunction>[2];
type Found = readonly [address: string | LookupAddress[], family: number | undefined];

/** A name as far as it is known. */
interface Known {
  last?: { readonly found: Found; readonly at: number } | undefined;
  /** who waits for the look-up that is under way; undefined where none is */
  waiting?: Asker[] | undefined;
  /** how the newest look-up failed; undefined where it did not */
  failing: string | undefined;
}

/** A host with what is known of it by the options that it was asked for with. */
interface Host {
  readonly answers: Map<string, Known>;
  /** how the newest look-up failed, whatever its options, and when it ended, in monotonic milliseconds */
  newest: { readonly failed: string | undefined; readonly at: number } | undefined;
}

/** What looks names up, and the time. */
export interface NamesOptions {
  readonly lookup: LookupFunction;
  /** monotonic milliseconds */
  readonly now: () => number;
  readonly patienceMs?: number;
}

/**
 * Resolves the names of upstreams, each time anew. While name servers fail or are silent the last answer stands in
 * (RFC 8767); one that says that there is no such name is believed. A name is looked up once at a time: a silent server
 * holds one of few threads for as long as it is waited for.
 */
export class Names {
  readonly #options: Required<NamesOptions>;
  readonly #hosts = new Map<string, Host>();

  constructor(options: NamesOptions) {
    this.#options = { patienceMs, ...options };
  }

  readonly lookup: LookupFunction = (name, options, done) => {
    let host = this.#hosts.get(name);
    if (host === undefined) {
      host = { answers: new Map(), newest: undefined };
      this.#hosts.set(name, host);
    }
    const key = JSON.stringify(options);
    let known = host.answers.get(key);
    if (known === undefined) {
      known = { failing: undefined };
      host.answers.set(key, known);
    }
    const asking = known.waiting === undefined;
    known.waiting ??= [];
    const last = this.#usable(known);
    if (known.failing !== undefined && last !== undefined) done(null, ...(last as [string, number]));
    else known.waiting.push(done);
    if (asking) this.#ask(name, options, host, known);
  };

  /** Forgets every other name: an upstream that nobody uses any more has no problem. */
  retain(names: ReadonlySet<string>): void {
    for (const name of this.#hosts.keys()) if (!names.has(name)) this.#hosts.delete(name);
  }

  /** for who runs the gateway: which names are made do with; undefined where all is well */
  get problem(): string | undefined {
    const now = this.#options.now();
    const failing = [...this.#hosts].filter(
      ([, { newest, answers }]) =>
        newest?.failed !== undefined &&
        now - newest.at <= youngMs &&
        [...answers.values()].some(
          (known) => known.failing !== undefined && this.#usable(known) !== undefined,
        ),
    );
    if (failing.length === 0) return undefined;
    // The cause may be the machine's own, such as descriptors or memory that ran out.
    const names = failing.slice(0, 5).map(([name, { newest }]) => `${name} (${newest?.failed})`);
    return `Names cannot be resolved: ${names.join(', ')}; the last known address is used`;
  }

  #ask(name: string, options: LookupOptions, host: Host, known: Known): void {
    const went = (failed: string | undefined) => {
      known.failing = failed;
      host.newest = { failed, at: this.#options.now() };
    };
    const late = setTimeout(() => {
      went('no answer');
      this.#standIn(known);
    }, this.#options.patienceMs);
    this.#options.lookup(name, options, (error, address, family) => {
      clearTimeout(late);
      const isPassing = error !== null && error.code !== 'ENOTFOUND';
      went(isPassing ? (error.code ?? error.message) : undefined);
      if (error === null) known.last = { found: [address as Found[0], family], at: this.#options.now() };
      else if (!isPassing) known.last = undefined;
      else this.#standIn(known);
      const waiting = known.waiting ?? [];
      known.waiting = undefined;
      for (const done of waiting) done(error, address as string, family);
    });
  }

  /** Gives those who wait the last answer, where there is one. */
  #standIn(known: Known): void {
    const last = this.#usable(known);
    if (last === undefined) return;
    for (const done of known.waiting?.splice(0) ?? []) done(null, ...(last as [string, number]));
  }

  #usable({ last }: Known): Found | undefined {
    return last !== undefined && this.#options.now() - last.at <= maxStaleMs ? last.found : undefined;
  }
}
