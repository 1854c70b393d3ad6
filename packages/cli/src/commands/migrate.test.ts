import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { postgresMissing, startPostgres } from '@portcullis/service/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, commandLine } from './testing/index.ts';

describe('migrate on the command line', () => {
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

  it.skipIf(postgresMissing !== undefined)(
    `moves once the service stopped, says what it moved, and the service starts there${postgresMissing ? ` (${postgresMissing})` : ''}`,
    async () => {
      const server = await startPostgres();
      try {
        const url = await server.url('portcullis');
        await cli.startService();
        const early = await cli.run(['migrate', '--to', url]);
        expect(early.code).toBe(1);
        expect(early.stderr).toContain('another process holds this data folder');
        expect(early.stderr).toContain('--while-running');
        const dry = await cli.run(['migrate', '--to', url, '--dry-run']);
        expect(dry).toMatchObject({ code: 0, stderr: '' });
        expect(dry.stdout).toContain('nothing was written');
        await cli.stopService();
        const moved = await cli.run(['migrate', '--to', url]);
        // Progress may stand on stderr, where a machine is slow.
        expect([moved.code, moved.stderr]).toEqual([0, expect.not.stringContaining('portcullis:')]);
        expect(moved.stdout).toMatch(/settings +\d+ {2}[0-9a-f]{16}/);
        expect(moved.stdout).toContain(path.join(folder, 'data', 'secrets', 'master.key'));
        const again = await cli.run(['migrate', '--to', url]);
        expect(again.code).toBe(1);
        expect(again.stderr).toMatch(/not empty[\s\S]*To mend it: /);
        await cli.startService({ PORTCULLIS_DATABASE_URL: url });
      } finally {
        await cli.stopService();
        await server.stop();
      }
    },
  );

  it('wants to be told where to, and takes no word for a database that is none', async () => {
    expect(await cli.run(['migrate'])).toMatchObject({ code: 2 });
    const { code, stderr } = await cli.run(['migrate', '--to', 'mysql://u:secret@db/x']);
    expect(code).toBe(1);
    expect(stderr).toContain('postgres://USER@HOST/DATABASE');
    expect(stderr).not.toContain('secret');
  });
});
