import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { openStorage, sqliteFileName } from '../storage/index.ts';
import { mountSmall, testDialects } from '../storage/testing/index.ts';
import { batch, securityEvent, startService } from '../testing/index.ts';
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
  it('has the gateway keep its batch, and takes it once it is free', async () => {
    const service = await startService();
    const other = new DatabaseSync(path.join(service.dataDir, sqliteFileName));
    other.exec('begin immediate');
    const given = batch({ events: [securityEvent()] });
    expect(await service.service.controlPlane.accept(given)).toMatchObject({ delivered: false, retry: true });
    other.exec('rollback');
    other.close();
    expect(await service.service.controlPlane.accept(given)).toEqual({ delivered: true });
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

const small = mountSmall(8);
describe.skipIf(!small)(`a full disk${small ? '' : ' (no file system can be mounted here)'}`, () => {
  afterAll(() => small?.unmount());

  it('loses nothing that was acknowledged, says so, and works on as soon as there is room', async () => {
    const dataDir = small?.dir ?? '';
    const service = await startService({ dataDir });
    const token = await service.signIn();
    const freeUp = fillUp(dataDir);
    const kept: string[] = [];
    let refused = batch();
    for (;;) {
      refused = batch({ events: Array.from({ length: 200 }, () => securityEvent()) });
      const delivery = await service.service.controlPlane.accept(refused);
      if (!delivery.delivered) {
        expect(delivery).toMatchObject({ retry: true, reason: expect.stringMatching(/full/) });
        break;
      }
      kept.push(...refused.events.map(({ id }) => id));
    }
    const site = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' };
    const answer = await service.call('POST', '/api/sites', site, token);
    expect(answer).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    expect(service.logged.join('\n')).toMatch(/full/);

    freeUp();
    expect(await service.service.controlPlane.accept(refused)).toEqual({ delivered: true });
    expect((await service.call('POST', '/api/sites', site, token)).status).toBe(200);
    await service.stop();
    const storage = await openStorage({ dataDir });
    const stored = (await newestEvents(storage, { limit: 1_000_000 })).map(({ id }) => id);
    expect(stored.sort()).toEqual([...kept, ...refused.events.map(({ id }) => id)].sort());
    await storage.close();
  });
});
