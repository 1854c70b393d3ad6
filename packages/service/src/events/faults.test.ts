import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStorage, type StorageOptions, sqliteFileName } from '../storage/index.ts';
import {
  mountSmall,
  type PostgresServer,
  postgresMissing,
  startPostgres,
  testDialects,
} from '../storage/testing/index.ts';
import { batch, securityEvent, startService, type TestService } from '../testing/index.ts';
import { newestEvents } from './index.ts';

const writer = path.join(import.meta.dirname, 'testing', 'endless-writer.ts');
const folder = () => mkdtempSync(path.join(tmpdir(), 'portcullis-faults-'));

/** Ends the writer without a word in the middle of its work. @returns the ids of events that it was told are kept */
async function killMidWrite(args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [writer, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const kept: string[] = [];
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    kept.push(...line.split(' '));
    lines += 1;
    if (lines === 15) child.kill('SIGKILL');
  }
  await exited;
  return kept;
}

for (const dialect of testDialects()) {
  const title = `events on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    afterAll(() => dialect.stop());

    it('that were acknowledged outlive a process killed in the middle of writing, batches whole or not at all', async () => {
      const dataDir = folder();
      const databaseUrl = await dialect.databaseUrl();
      const kept = await killMidWrite(databaseUrl === undefined ? [dataDir] : [dataDir, databaseUrl]);
      const storage = await openStorage({ dataDir, databaseUrl });
      const stored = new Set((await newestEvents(storage, { limit: 1_000_000 })).map(({ id }) => id));
      expect(kept.length).toBeGreaterThanOrEqual(750);
      expect(kept.filter((id) => !stored.has(id))).toEqual([]);
      expect(stored.size % 50).toBe(0);
      const { rows } = await sql<{ entries: number }>`select sum(entries) entries from event_days`.execute(
        storage.read,
      );
      expect(Number(rows[0]?.entries)).toBe(stored.size);
      await storage.close();
      rmSync(dataDir, { recursive: true, force: true });
    });
  });
}

describe('a database that another program holds locked', () => {
  it('has the gateway keep its batch, and takes it once it is free, and can be read meanwhile', async () => {
    const service = await startService();
    const token = await service.signIn();
    const { secret } = (
      await service.call('POST', '/api/auth/api-tokens', { name: 'late', permissions: ['site:view'] }, token)
    ).body;
    const other = new DatabaseSync(path.join(service.dataDir, sqliteFileName));
    other.exec('begin immediate');
    const given = batch({ events: [securityEvent()] });
    expect(await service.service.controlPlane.accept(given)).toMatchObject({ delivered: false, retry: true });
    const reads = await Promise.all(
      [secret, secret].map((one) => service.call('GET', '/api/sites', undefined, one)),
    );
    expect(reads.map(({ status }) => status)).toEqual([200, 200]);
    const site = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' };
    expect(await service.call('POST', '/api/sites', site, token)).toMatchObject({
      ...{ status: 503, body: { code: 'storage_unavailable' } },
    });
    const soon = { timeout: 50_000, interval: 100 };
    await vi.waitFor(async () => {
      const reason = 'another program holds the database locked';
      expect(await service.call('GET', '/readyz')).toMatchObject({ status: 503, body: { reason } });
    }, soon);
    await vi.waitFor(async () => {
      const { body } = await service.call('GET', '/api/fleet', undefined, token);
      expect(JSON.stringify(body)).toMatch(/takes nothing from this service.*locked/);
    }, soon);
    other.exec('rollback');
    other.close();
    expect(await service.service.controlPlane.accept(given)).toEqual({ delivered: true });
    await vi.waitFor(async () => expect((await service.call('GET', '/readyz')).status).toBe(200), soon);
    expect((await service.call('POST', '/api/sites', site, token)).status).toBe(200);
    await service.stop();
  });
});

/** Takes all room that is left. @returns gives it back */
function fillUp(dir: string): () => void {
  const file = path.join(dir, 'filler');
  const handle = openSync(file, 'w');
  for (const size of [65_536, 512, 1]) {
    try {
      for (;;) writeSync(handle, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(handle);
  return () => rmSync(file);
}

/** What was told to be kept before the disk was full, and the batch that was refused then. */
async function fillWithEvents({ service }: TestService) {
  const kept: string[] = [];
  for (;;) {
    const refused = batch({ events: Array.from({ length: 200 }, () => securityEvent()) });
    const delivery = await service.controlPlane.accept(refused);
    if (!delivery.delivered) return { kept, refused, delivery };
    kept.push(...refused.events.map(({ id }) => id));
  }
}

/** The same of either database: traffic is the gateways', who keep what is refused and come again. */
async function outliveFullDisk(service: TestService, dir: string): Promise<readonly string[]> {
  const token = await service.signIn();
  expect((await service.call('GET', '/readyz')).status).toBe(200);
  const { secret } = (
    await service.call('POST', '/api/auth/api-tokens', { name: 'late', permissions: ['metrics:view'] }, token)
  ).body;
  const freeUp = fillUp(dir);
  const { kept, refused, delivery } = await fillWithEvents(service);
  expect(delivery).toMatchObject({ retry: true, reason: expect.stringMatching(/full|No space left/) });
  const site = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' };
  // A small change may still find room in a page that has some.
  let changes = 0;
  for (let status = 200; status === 200; changes += 1) {
    const one = { ...site, description: 'x'.repeat(1900), domains: [`shop${changes}.example.com`] };
    const answer = await service.call('POST', '/api/sites', one, token);
    status = answer.status;
    if (status !== 200) expect(answer).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
  }
  expect((await service.call('GET', '/api/events', undefined, token)).status).toBe(200);
  expect((await service.call('GET', '/api/sites', undefined, token)).body).toHaveLength(changes - 1);
  expect(service.logged.join('\n')).toMatch(/full|No space left/);
  expect(await service.call('GET', '/readyz')).toMatchObject({
    status: 503,
    body: { status: 'not ready', reason: 'the disk of the database is full' },
  });

  // That it was used for the first time cannot be stored.
  expect((await service.call('GET', '/api/monitoring/alerts', undefined, secret)).status).toBe(200);

  freeUp();
  await vi.waitFor(async () => expect((await service.call('GET', '/readyz')).status).toBe(200), {
    timeout: 30_000,
    interval: 100,
  });
  expect(await service.service.controlPlane.accept(refused)).toEqual({ delivered: true });
  expect((await service.call('POST', '/api/sites', site, token)).status).toBe(200);
  await service.stop();
  return [...kept, ...refused.events.map(({ id }) => id)].sort();
}

async function storedIds(options: StorageOptions): Promise<string[]> {
  const storage = await openStorage(options);
  const stored = (await newestEvents(storage, { limit: 1_000_000 })).map(({ id }) => id);
  await storage.close();
  return stored.sort();
}

const what = 'loses nothing that was acknowledged, says so, and works on as soon as there is room';
const small = mountSmall(8);
const unmountable = small ? '' : ' (no file system can be mounted here)';
describe.skipIf(!small)(`a full disk under SQLite${unmountable}`, () => {
  afterAll(() => small?.unmount());

  it(what, async () => {
    const dataDir = small?.dir ?? '';
    const kept = await outliveFullDisk(await startService({ dataDir }), dataDir);
    expect(await storedIds({ dataDir })).toEqual(kept);
  });
});

const larger = postgresMissing === undefined ? mountSmall(96) : undefined;
describe.skipIf(!larger)(`a full disk under PostgreSQL${unmountable || (postgresMissing ?? '')}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(undefined, larger?.dir);
  });
  afterAll(async () => {
    await server.stop();
    larger?.unmount();
  });

  it(what, async () => {
    const databaseUrl = await server.url('crammed');
    const kept = await outliveFullDisk(await startService({ databaseUrl }), larger?.dir ?? '');
    // What was told to be kept is so even for a server that ends without a word.
    await server.restart();
    expect(await storedIds({ dataDir: folder(), databaseUrl })).toEqual(kept);
  });
});
