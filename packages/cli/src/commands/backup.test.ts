import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, commandLine } from './testing/index.ts';

describe('backup and restore on the command line', () => {
  let folder: string;
  let cli: CommandLine;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portcullis-cli-'));
    cli = commandLine(folder);
  });
  afterEach(async () => {
    await cli.stopService();
    await rm(folder, { recursive: true, force: true });
  });

  it('copies under a running service, restores only once it stopped, and starts again', async () => {
    await cli.startService();
    const made = await cli.run(['backup', 'copy.sqlite']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain(path.join(folder, 'copy.sqlite'));
    expect(made.stdout).toContain(path.join(folder, 'data', 'secrets', 'master.key'));
    const early = await cli.run(['restore', 'copy.sqlite']);
    expect(early.code).toBe(1);
    expect(early.stderr).toContain('another process holds this data folder');
    expect(early.stderr).toContain('To mend it: stop it first');
    await cli.stopService();
    const restored = await cli.run(['restore', 'copy.sqlite']);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toContain('The database before is kept');
    await cli.startService();
  });

  it('names a server of PostgreSQL that is away, and ends with an error', async () => {
    const { code, stderr } = await cli.run(['backup'], {
      PORTCULLIS_DATABASE_URL: 'postgres://u@127.0.0.1:1/none',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('127.0.0.1:1 cannot be reached');
  });

  it('wants to be told what to restore', async () => {
    expect(await cli.run(['restore'])).toMatchObject({ code: 2 });
  });
});
