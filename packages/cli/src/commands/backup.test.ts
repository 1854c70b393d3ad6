import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const main = path.join(import.meta.dirname, '../main.ts');

describe('backup and restore on the command line', () => {
  let folder: string;
  let service: ChildProcess | undefined;

  const environment = (more: Record<string, string> = {}) => ({
    PATH: process.env['PATH'],
    PORTCULLIS_DATA_DIR: path.join(folder, 'data'),
    PORTCULLIS_ADMIN_PORT: '0',
    ...more,
  });

  async function run(args: string[], more: Record<string, string> = {}) {
    const child = spawn(process.execPath, [main, ...args], { env: environment(more), cwd: folder });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  }

  async function startService(): Promise<void> {
    const child = spawn(process.execPath, [main, 'service'], {
      env: environment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    service = child;
    const [message] = await once(child, 'message');
    expect(message).toMatchObject({ type: 'ready' });
  }

  async function stopService(): Promise<void> {
    const running = service;
    service = undefined;
    if (!running) return;
    running.kill('SIGTERM');
    expect(await once(running, 'exit')).toEqual([0, null]);
  }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portcullis-cli-'));
  });
  afterEach(async () => {
    await stopService();
    await rm(folder, { recursive: true, force: true });
  });

  it('copies under a running service, restores only once it stopped, and starts again', async () => {
    await startService();
    const made = await run(['backup', 'copy.sqlite']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain(path.join(folder, 'copy.sqlite'));
    expect(made.stdout).toContain(path.join(folder, 'data', 'secrets', 'master.key'));
    const early = await run(['restore', 'copy.sqlite']);
    expect(early.code).toBe(1);
    expect(early.stderr).toContain('already running');
    expect(early.stderr).toContain('To mend it: stop it first');
    await stopService();
    const restored = await run(['restore', 'copy.sqlite']);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toContain('The database before is kept');
    await startService();
  });

  it('names the tool for PostgreSQL, and ends with an error', async () => {
    const url = { PORTCULLIS_DATABASE_URL: 'postgres://u@127.0.0.1:1/none' };
    for (const args of [['backup'], ['restore', 'any']]) {
      const { code, stderr } = await run(args, url);
      expect(code).toBe(1);
      expect(stderr).toContain('pg_dump');
    }
  });

  it('wants to be told what to restore', async () => {
    expect(await run(['restore'])).toMatchObject({ code: 2 });
  });
});
