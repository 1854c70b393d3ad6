import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartError } from './start-error.ts';
import { sqliteFileName } from './storage/index.ts';
import { adminEmail, adminPassword, batch, securityEvent, startService } from './testing/index.ts';

const pageBytes = 4096;
const signIn = { email: adminEmail, password: adminPassword };

describe('a database with a damaged page', () => {
  let folder: string;
  let whole: Buffer;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portcullis-damaged-'));
    const service = await startService({ dataDir: path.join(folder, 'whole') });
    await service.service.controlPlane.accept(batch({ events: [securityEvent()] }));
    await service.stop();
    whole = await readFile(path.join(folder, 'whole', sqliteFileName));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('lies whole in its one file after a stop', () => {
    expect(whole.length).toBeGreaterThan(40 * pageBytes);
  });

  // What is damaged where differs with every schema: any page, and either answer is right.
  it('is named at the start or refuses what touches it, with the way back, and takes no event that it cannot keep', async () => {
    const seen = { refused: 0, served: 0 };
    for (let page = 0; page < whole.length / pageBytes; page += 11) {
      const dataDir = path.join(folder, `page-${page}`);
      await cp(path.join(folder, 'whole'), dataDir, { recursive: true });
      const damaged = Buffer.from(whole).fill(0x55, page * pageBytes, (page + 1) * pageBytes);
      await writeFile(path.join(dataDir, sqliteFileName), damaged);
      const service = await startService({ dataDir }).catch((error: unknown) => error);
      if (service instanceof Error) {
        expect(service).toBeInstanceOf(StartError);
        expect(service.message).toContain('is damaged');
        expect((service as StartError).mend).toContain('portcullis restore');
        seen.refused += 1;
        continue;
      }
      const { service: running, call, stop } = service as Awaited<ReturnType<typeof startService>>;
      const delivery = await running.controlPlane.accept(batch({ events: [securityEvent()] }));
      expect(delivery.delivered || delivery.retry).toBe(true);
      expect([200, 503]).toContain((await call('POST', '/api/auth/login', signIn)).status);
      await stop();
      seen.served += 1;
    }
    expect(Math.min(seen.refused, seen.served)).toBeGreaterThan(0);
  });
});
