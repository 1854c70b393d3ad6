import { mkdtempSync, rmSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { ConfigSnapshot, GatewaySite, linkVersion } from '@portcullis/contract/link';
import type { z } from 'zod';
import { createGateway, type Gateway, type Log } from '../index.ts';
import { CollectingSink, ManualSource } from './ports.ts';

type SiteInput = Partial<z.input<typeof GatewaySite>>;
type SnapshotInput = Partial<Omit<z.input<typeof ConfigSnapshot>, 'sites'>> & { sites?: SiteInput[] };

let lastId = 0;

/** A site with defaults, served for any host. Rate limits are off, so that tests may hurry. */
export function site(input: SiteInput): GatewaySite {
  lastId++;
  return GatewaySite.parse({
    id: `site-${lastId}`,
    name: `Site ${lastId}`,
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    domains: ['*'],
    backend_url: 'http://127.0.0.1:9',
    healthCheck: { enabled: false },
    rate_limit: { enabled: false },
    ...input,
  });
}

/** A whole snapshot around some sites. */
export function snapshot(input: SnapshotInput): ConfigSnapshot {
  const { sites = [], ...rest } = input;
  return ConfigSnapshot.parse({
    linkVersion,
    version: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...rest,
    sites: sites.map((entry) => site(entry)),
  });
}

export interface StartedGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly port: number;
  readonly httpsPort: number | undefined;
  readonly url: string;
  readonly source: ManualSource;
  readonly sink: CollectingSink;
  readonly dataDir: string;
  readonly logged: string[];
  configure(input: SnapshotInput): void;
}

/** Starts a real gateway on a free port with its own data folder, stopped and removed on disposal. */
export async function startGateway(
  input?: SnapshotInput,
  options: {
    dataDir?: string;
    sink?: CollectingSink;
    id?: string;
    maxHeldBytes?: number;
    maxUpstreamConnections?: number;
    lookup?: LookupFunction;
    eventLines?: Writable;
    host?: string;
  } = {},
): Promise<StartedGateway> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'portcullis-gateway-'));
  const sink = options.sink ?? new CollectingSink();
  const first = input === undefined ? [] : [{ type: 'snapshot', snapshot: snapshot(input) } as const];
  const source = new ManualSource(first);
  const logged: string[] = [];
  const line = (message: string, fields?: Record<string, unknown>) =>
    void logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
  const log: Log = { info: line, warn: line, error: line };
  const gateway = createGateway({
    id: options.id ?? 'worker-1',
    host: options.host ?? '127.0.0.1',
    httpPort: 0,
    httpsPort: 0,
    dataDir,
    source,
    sink,
    log,
    lookup: options.lookup,
    eventLines: options.eventLines,
    ...(options.maxHeldBytes !== undefined && { maxHeldBytes: options.maxHeldBytes }),
    ...(options.maxUpstreamConnections !== undefined && {
      maxUpstreamConnections: options.maxUpstreamConnections,
    }),
  });
  const { httpPort, httpsPort } = await gateway.start();
  let version = 1;
  return {
    gateway,
    port: httpPort,
    httpsPort,
    url: `http://127.0.0.1:${httpPort}`,
    source,
    sink,
    dataDir,
    logged,
    configure(next) {
      version++;
      source.send({ type: 'snapshot', snapshot: snapshot({ version, ...next }) });
    },
    async [Symbol.asyncDispose]() {
      await gateway.stop({ graceMs: 500 });
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
