import { isIP, type LookupFunction } from 'node:net';
import type { Client, buildConnector as connecting, Pool as UndiciPool } from 'undici';
import { buildConnector, Pool } from '../http-client.ts';
import { connectedFirst } from './connected-first.ts';
import { UpstreamClient } from './interim.ts';
import { upstreamLookup } from './lookup.ts';
import type { Names } from './names.ts';
import { Places } from './places.ts';
import { shortQueue } from './short-queue.ts';

/** How an upstream is talked to. Times in milliseconds. */
export interface UpstreamOptions {
  readonly connectMs: number;
  /** until the head of the answer */
  readonly headersMs: number;
  /** between two pieces of the answer's body */
  readonly bodyMs: number;
  /** whether its certificate must be valid for its name */
  readonly verifyTls: boolean;
  /** PEM of the authorities that it is verified against; empty takes the system's */
  readonly ca: string;
}

/** Connections that an upstream is asked over at the same time, unless told otherwise. */
const maxConnections = 1024;

/**
 * Whom TLS asks for and verifies, for the options of a request. Left to undici that is the request's Host: the client
 * would choose it, and every other Host would cost a handshake. An address has no name to give, so there it stays the
 * Host.
 * @param origin scheme, host and port
 */
export function tlsName(origin: string): { readonly servername?: string } {
  const { protocol, hostname } = new URL(origin);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  return protocol === 'https:' && !isAddress ? { servername: hostname } : {};
}

/**
 * Opens connections to an upstream; those with TLS resume the sessions of one another.
 * @param lookup how names are resolved
 */
export function upstreamConnector(
  { connectMs, verifyTls, ca }: Pick<UpstreamOptions, 'connectMs' | 'verifyTls' | 'ca'>,
  lookup: LookupFunction,
): connecting.connector {
  return buildConnector({
    allowH2: false,
    lookup,
    timeout: connectMs,
    rejectUnauthorized: verifyTls,
    ...(ca === '' ? {} : { ca }),
  });
}

/** One origin with its kept-alive connections. */
export class Upstream {
  /** scheme, host and port */
  readonly origin: string;
  /** host and port, as its own Host header has them */
  readonly authority: string;
  /** the host alone, as it is looked up */
  readonly hostname: string;
  /** what each request to it is dispatched with, see {@link tlsName} */
  readonly named: { readonly servername?: string };
  readonly pool: UndiciPool;
  /** who may ask it, now or in turn */
  readonly places: Places;
  readonly patience: Pick<UpstreamOptions, 'headersMs' | 'bodyMs'>;
  readonly #options: Client.Options;
  readonly #connect: connecting.connector;

  /**
   * @param lookup how its name is resolved
   * @param connections that it is asked over at the same time
   */
  constructor(
    origin: string,
    options: UpstreamOptions,
    lookup: LookupFunction,
    connections: number = maxConnections,
  ) {
    this.origin = origin;
    const { host, hostname } = new URL(origin);
    this.authority = host;
    this.hostname = hostname;
    this.named = tlsName(origin);
    this.patience = options;
    this.#options = {
      headersTimeout: options.headersMs,
      bodyTimeout: options.bodyMs,
      maxHeaderSize: 64 * 1024,
    };
    this.#connect = upstreamConnector(options, lookup);
    // Where a pool may speak HTTP/2 one connection finds out first, and every other request waits for it.
    this.pool = new Pool(origin, { connections, allowH2: false, factory: () => this.fresh() });
    connectedFirst(this.pool);
    shortQueue(this.pool);
    this.places = new Places(connections, options.connectMs);
  }

  /** A connection that nobody has used before, closed after its one request. */
  fresh(): Client {
    return new UpstreamClient(this.origin, this.#options, this.#connect);
  }
}

/** Upstreams shared between sites and kept across reloads, so that a reload costs no connection. */
export class UpstreamRegistry {
  readonly #known = new Map<string, Upstream>();
  readonly #names: Names;
  readonly #connections: number | undefined;
  /** how their names are resolved, for who asks one of them beside its pool */
  readonly lookup: LookupFunction;

  /** @param connections to each upstream, at the same time */
  constructor(names: Names, connections?: number) {
    this.#names = names;
    this.#connections = connections;
    this.lookup = upstreamLookup(names.lookup);
  }

  /** for who runs the gateway: which names are made do with; undefined where all is well */
  get problem(): string | undefined {
    return this.#names.problem;
  }

  /** @returns the upstream for an origin, made on first use of this origin with these options */
  get(origin: string, options: UpstreamOptions): Upstream {
    const key = JSON.stringify([origin, options]);
    let upstream = this.#known.get(key);
    if (upstream === undefined) {
      upstream = new Upstream(origin, options, this.lookup, this.#connections);
      this.#known.set(key, upstream);
    }
    return upstream;
  }

  /** Closes what no site uses any more once its requests under way are done, and forgets its name. */
  retain(used: ReadonlySet<Upstream>): void {
    this.#names.retain(new Set([...used].map(({ hostname }) => hostname)));
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
