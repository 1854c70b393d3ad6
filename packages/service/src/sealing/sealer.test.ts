import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyFile, loadSealer } from './index.ts';

describe('a sealer', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'portcullis-key-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('opens what the same key sealed for the same purpose, in a later run too', async () => {
    const sealed = (await loadSealer(dataDir)).seal('the secret', 'mail');
    const later = await loadSealer(dataDir);
    expect(later.open(sealed, 'mail')).toBe('the secret');
    expect(later.open(sealed, 'totp')).toBeUndefined();
    expect(later.seal('the secret', 'mail')).not.toBe(sealed);
  });

  it('opens nothing that was changed, cut or never sealed', async () => {
    const sealer = await loadSealer(dataDir);
    const sealed = sealer.seal('the secret', 'mail');
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const text of [changed, sealed.slice(0, 20), 'v1.', '', 'the secret']) {
      expect(sealer.open(text, 'mail')).toBeUndefined();
    }
  });

  it('keeps its key for its own user', async () => {
    await loadSealer(dataDir);
    expect((await stat(keyFile(dataDir))).mode & 0o777).toBe(0o600);
  });

  it('refuses a key file that is damaged, and leaves it as it is', async () => {
    await loadSealer(dataDir);
    await writeFile(keyFile(dataDir), 'half a key');
    await expect(loadSealer(dataDir)).rejects.toMatchObject({ mend: expect.stringContaining('backup') });
  });
});
