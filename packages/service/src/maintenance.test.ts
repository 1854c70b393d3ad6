import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkStorage } from './maintenance.ts';
import { keyFile } from './sealing/index.ts';
import { sqliteFileName } from './storage/index.ts';
import { startService } from './testing/index.ts';

describe('a check of what is stored', () => {
  let dataDir: string;
  const file = () => path.join(dataDir, sqliteFileName);
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'portcullis-check-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  async function used(): Promise<void> {
    const service = await startService({ dataDir });
    const token = await service.signIn();
    const site = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' };
    await service.call('POST', '/api/sites', site, token);
    await service.stop();
  }

  it('finds nothing where nothing is stored yet, and makes nothing', async () => {
    expect(await checkStorage({ dataDir })).toEqual([]);
    expect(existsSync(file())).toBe(false);
  });

  it('finds nothing in a sound installation, and leaves it as it is', async () => {
    await used();
    const before = readFileSync(file());
    expect(await checkStorage({ dataDir })).toEqual([]);
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  it('tells all at once: an entry of the audit that was changed, a site that cannot be', async () => {
    await used();
    const database = new DatabaseSync(file());
    database.exec("update admin_audit set message = 'nothing happened' where seq = 1");
    database.exec(`update sites set config = json_set(config, '$.domains', 'none')`);
    database.close();
    expect(await checkStorage({ dataDir })).toEqual([
      { path: 'audit', message: expect.stringContaining('The audit chain is broken') },
      { path: expect.stringMatching(/^sites\..*domains/), message: expect.stringContaining('Site "Shop"') },
    ]);
  });

  it('names the key file that is gone, since without it no secret can be read', async () => {
    await used();
    rmSync(keyFile(dataDir));
    expect(await checkStorage({ dataDir })).toEqual([
      { path: 'storage', message: expect.stringContaining('master.key') },
    ]);
    expect(existsSync(keyFile(dataDir))).toBe(false);
  });
});
