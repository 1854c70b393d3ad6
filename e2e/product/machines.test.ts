import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { redisMissing } from '../../packages/cli/src/redis/testing/index.ts';
import { postgresMissing } from '../../packages/service/src/storage/testing/index.ts';
import { startMachines } from './machines.ts';
import { freePort } from './product.ts';

const missing = redisMissing ?? postgresMissing;
const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');

describe.skipIf(missing)(`several machines${missing ? ` (${missing})` : ''}`, () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'portcullis-'));
    // PostgreSQL runs as another user where the tests run as root.
    chmodSync(folder, 0o755);
    vi.stubEnv('TMPDIR', folder);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it('of which one cannot start leave nothing behind', async () => {
    const before = children();
    const port = await freePort();
    const taken = createServer().listen(port);
    await expect(startMachines({ PORTCULLIS_HTTPS_PORT: String(port) })).rejects.toThrow('EADDRINUSE');
    taken.close();
    expect(children()).toBe(before);
    expect(readdirSync(folder)).toEqual([]);
    // Six processes start one after the other.
  }, 120_000);
});
