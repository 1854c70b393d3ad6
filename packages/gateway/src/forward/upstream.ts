import { Pool } from 'undici';

/** How long an upstream may take, in milliseconds. */
export interface UpstreamTimeouts {
  readonly connectMs: number;
  /** until the head of the answer */
  readonly headersMs: number;
  /** between two pieces of the answer's body */
  readonly bodyMs: number;
}

/** One origin with its kept-alive connections. */
export class Upstream {
  /** scheme, host and port */
  readonly origin: string;
  readonly pool: Pool;

  constructor(origin: string, timeouts: UpstreamTimeouts) {
    this.origin = origin;
    this.pool = new Pool(origin, {
      connections: 1024,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: timeouts.connectMs },
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.bodyMs,
      maxHeaderSize: 64 * 1024,
    });
  }
}

/** Upstreams shared between sites and kept across reloads, so that a reload costs no connection. */
export class UpstreamRegistry {
  readonly #known = new Map<string, Upstream>();

  /** @returns the upstream for an origin, made on first use of this origin with these timeouts */
  get(origin: string, timeouts: UpstreamTimeouts): Upstream {
    const key = keyOf(origin, timeouts);
    let upstream = this.#known.get(key);
    if (upstream === undefined) {
      upstream = new Upstream(origin, timeouts);
      this.#known.set(key, upstream);
    }
    return upstream;
  }

  /** Closes what no site uses any more once its requests under way are done. */
  retain(used: ReadonlySet<Upstream>): void {
    for (const [key, upstream] of this.#known) {
      if (used.has(upstream)) continue;
      this.#known.delete(key);
      void upstream.pool.close();
    }
  }

  /** Ends every connection now. */
  async destroy(): Promise<void> {
    const all = [...this.#known.values()];
    this.#known.clear();
    await Promise.all(all.map((upstream) => upstream.pool.destroy()));
  }
}

const keyOf = (origin: string, timeouts: UpstreamTimeouts) =>
  `${origin} ${timeouts.connectMs} ${timeouts.headersMs} ${timeouts.bodyMs}`;
