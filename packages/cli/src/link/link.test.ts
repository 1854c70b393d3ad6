import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  ConfigSnapshot,
  type ControlPlane,
  type Delivery,
  type Directive,
  type EventBatch,
  linkVersion,
} from '@portcullis/contract/link';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../log/index.ts';
import {
  claimDataFolder,
  createLinkClient,
  createLinkServer,
  holdDataFolder,
  type LinkClient,
  type LinkServer,
  linkSocketPath,
  requireOwnFolder,
} from './index.ts';

const quiet = createLog('test', () => undefined);
const snapshot = (version: number) =>
  ({
    type: 'snapshot',
    snapshot: ConfigSnapshot.parse({ linkVersion, version, createdAt: '2026-01-01T00:00:00Z', sites: [] }),
  }) satisfies Directive;

/** The port's least implementation: remembers what it was given, and refuses what it is told to refuse. */
function createPlane(answer: () => Delivery = () => ({ delivered: true })) {
  const listeners = new Set<(directive: Directive) => void>();
  const accepted: EventBatch[] = [];
  const plane: ControlPlane = {
    current: () => [snapshot(1)],
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async accept(batch) {
      accepted.push(batch);
      return answer();
    },
    async acceptAll(batches) {
      accepted.push(...batches);
      return answer();
    },
    overtaken: async () => {},
    acceptReport: () => undefined,
    fleet: () => undefined,
    acceptSightings: () => undefined,
  };
  const publish = (directive: Directive) => {
    for (const listener of listeners) listener(directive);
  };
  return { plane, accepted, listeners, publish };
}

const emptyBatch = (id: string): EventBatch => ({
  id,
  gatewayId: 'gateway-1',
  events: [],
  counters: [],
  dropped: 0,
});

describe('the link on one machine', () => {
  let folder: string;
  let socketPath: string;
  const open: (LinkServer | LinkClient)[] = [];
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'portcullis-link-'));
    socketPath = linkSocketPath(folder);
  });
  afterEach(async () => {
    for (const end of open.splice(0).reverse()) await end.stop();
    rmSync(folder, { recursive: true });
  });

  async function serve(plane: ControlPlane): Promise<LinkServer> {
    const server = createLinkServer(socketPath, plane, quiet);
    await server.start();
    open.push(server);
    return server;
  }
  function connect(): { client: LinkClient; versions: number[] } {
    const client = createLinkClient(socketPath, quiet);
    open.push(client);
    const versions: number[] = [];
    client.source.start((directive) => {
      if (directive.type === 'snapshot') versions.push(directive.snapshot.version);
    });
    return { client, versions };
  }

  it('hands a gateway the present configuration, then each change in order', async () => {
    const { plane, listeners, publish } = createPlane();
    await serve(plane);
    const { versions } = connect();
    await vi.waitFor(() => expect(listeners.size).toBe(1), { timeout: 20_000 });
    for (const version of [2, 3, 4]) publish(snapshot(version));
    await vi.waitFor(() => expect(versions).toEqual([1, 2, 3, 4]), { timeout: 20_000 });
  });

  it('finds a service that comes later, and one that comes back', async () => {
    const { versions, client } = connect();
    const first = createPlane();
    const server = await serve(first.plane);
    await vi.waitFor(() => expect(versions).toEqual([1]), { timeout: 20_000 });
    await server.stop();
    expect(await client.sink.deliver(emptyBatch('away'))).toMatchObject({ delivered: false, retry: true });
    const second = createPlane();
    await serve(second.plane);
    await vi.waitFor(() => expect(versions).toEqual([1, 1]), { timeout: 20_000 });
    expect(await client.sink.deliver(emptyBatch('back'))).toEqual({ delivered: true });
    expect(second.accepted.map((batch) => batch.id)).toEqual(['back']);
  });

  it('tells a refusal for good from one worth trying again', async () => {
    const { plane } = createPlane(() => ({ delivered: false, retry: true, reason: 'storage is locked' }));
    await serve(plane);
    const { client } = connect();
    expect(await client.sink.deliver(emptyBatch('a'))).toMatchObject({
      retry: true,
      reason: 'storage is locked',
    });
    const broken = { ...emptyBatch('b'), dropped: -1 };
    expect(await client.sink.deliver(broken)).toMatchObject({ delivered: false, retry: false });
  });

  it('is open to this user alone', async () => {
    await serve(createPlane().plane);
    expect(statSync(path.dirname(socketPath)).mode & 0o077).toBe(0);
  });

  it('refuses a second service on the same data folder, and replaces what a killed one left', async () => {
    mkdirSync(path.dirname(socketPath));
    writeFileSync(socketPath, '');
    await serve(createPlane().plane);
    const second = createLinkServer(socketPath, createPlane().plane, quiet);
    await expect(second.start()).rejects.toThrow('another process holds this data folder');
  });

  it('leaves a data folder to one of those that take it at once, until it gives it back', async () => {
    const taken = await Promise.allSettled([
      claimDataFolder(folder, 'wait'),
      claimDataFolder(folder, 'wait'),
    ]);
    const [first, second] = taken.toSorted((a, b) => (a.status < b.status ? -1 : 1));
    expect(second).toMatchObject({
      reason: { message: expect.stringContaining('holds this data folder'), mend: 'wait' },
    });
    expect(() => holdDataFolder(folder)).toThrow('holds this data folder');
    if (first?.status === 'fulfilled') await first.value();
    holdDataFolder(folder)();
  });

  it('takes a data folder over from a process that was killed', async () => {
    const hold = path.join(import.meta.dirname, 'hold.ts');
    const script = `(await import(${JSON.stringify(hold)})).holdDataFolder(process.argv[1]); console.log('held'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script, folder]);
    await once(holder.stdout, 'data');
    expect(() => holdDataFolder(folder)).toThrow('holds this data folder');
    const gone = once(holder, 'exit');
    holder.kill('SIGKILL');
    await gone;
    holdDataFolder(folder)();
  });

  it('is not opened in a folder for temporary files that others may write, or that is a link', async () => {
    const long = linkSocketPath(path.join(folder, 'x'.repeat(120)));
    const parent = path.dirname(long);
    mkdirSync(parent, { mode: 0o700 });
    expect(() => requireOwnFolder(long)).not.toThrow();
    chmodSync(parent, 0o777);
    expect(() => requireOwnFolder(long)).toThrow('of this user');
    rmSync(parent, { recursive: true });
    symlinkSync(folder, parent);
    expect(() => requireOwnFolder(long)).toThrow('of this user');
    const client = createLinkClient(long, quiet);
    open.push(client);
    expect(await client.sink.deliver(emptyBatch('a'))).toMatchObject({
      reason: expect.stringContaining('of this user'),
    });
    rmSync(parent);
  });

  it('fits a data folder with a very long path', () => {
    const long = path.join(folder, 'x'.repeat(120));
    expect(Buffer.byteLength(linkSocketPath(long))).toBeLessThan(104);
    expect(linkSocketPath(long)).not.toBe(linkSocketPath(`${long}y`));
  });
});
