import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort, startProduct } from '../product/product.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function newDataDir(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-start-'));
  folders.push(folder);
  return folder;
}

/** Everything that a start printed before it gave up. */
async function refusal(options: Parameters<typeof startProduct>[0]): Promise<string> {
  try {
    const product = await startProduct(options);
    await product.stop();
    throw new Error('it started after all');
  } catch (error) {
    return (error as Error).message;
  }
}

async function occupy(): Promise<{ port: number; free(): void }> {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { port, free: () => server.close() };
}

describe('a start that cannot be', () => {
  it('names the gateway port that is taken', async () => {
    const taken = await occupy();
    const said = await refusal({ dataDir: newDataDir(), gatewayPort: taken.port });
    taken.free();
    expect(said).toContain('ended with 1');
    expect(said).toContain(`the gateway cannot listen on 127.0.0.1:${taken.port} (EADDRINUSE)`);
    expect(said).toContain('PORTCULLIS_HTTP_PORT');
  });

  it('names the console port that is taken', async () => {
    const taken = await occupy();
    const said = await refusal({
      dataDir: newDataDir(),
      environment: { PORTCULLIS_ADMIN_PORT: String(taken.port) },
    });
    taken.free();
    expect(said).toMatch(new RegExp(`console cannot listen on 127\\.0\\.0\\.1 port ${taken.port}`));
    expect(said).toContain('To mend it:');
  });

  it('names a data folder that cannot be one', async () => {
    const file = path.join(newDataDir(), 'a-file');
    writeFileSync(file, '');
    const said = await refusal({ dataDir: path.join(file, 'data') });
    expect(said).toContain('Portcullis cannot start:');
    expect(said).toContain(file);
    expect(said).toContain('To mend it:');
  });

  it('leaves a database of a newer version as it is', async () => {
    const dataDir = newDataDir();
    const first = await startProduct({ dataDir });
    expect(await first.stop()).toBe(0);
    const database = databaseIn(dataDir);
    const open = new DatabaseSync(database);
    open.exec("insert into kysely_migration (name, timestamp) values ('9999-from-the-future', '2999-01-01')");
    open.close();
    const bytes = readFileSync(database);
    const said = await refusal({ dataDir });
    expect(said).toMatch(/newer/i);
    expect(said).toContain('To mend it:');
    expect(readFileSync(database).equals(bytes)).toBe(true);
  });

  it('gives way to the Portcullis that already has the data folder', async () => {
    const dataDir = newDataDir();
    const first = await startProduct({ dataDir });
    const said = await refusal({ dataDir });
    expect(said).toContain('another process holds this data folder');
    expect(await first.stop()).toBe(0);
  });
});

describe.skipIf(process.getuid?.() === 0)(
  'a start by a user without rights (skipped for root, who has all)',
  () => {
    it('names the folder that cannot be written', async () => {
      const dataDir = newDataDir();
      chmodSync(dataDir, 0o500);
      const said = await refusal({ dataDir });
      expect(said).toContain(dataDir);
      expect(said).toContain('To mend it:');
    });
  },
);

function databaseIn(dataDir: string): string {
  return path.join(dataDir, 'portcullis.sqlite');
}
