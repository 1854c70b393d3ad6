import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@portcullis/service/testing';
import { describe, expect, it } from 'vitest';
import { bareEnvironment } from './testing/index.ts';
import { productVersion } from './version.ts';

const main = path.join(import.meta.dirname, 'main.ts');

interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

function portcullis(
  args: string[],
  environment: Record<string, string> = {},
  entry = [main],
): Promise<Finished> {
  const { promise, resolve } = Promise.withResolvers<Finished>();
  const child = spawn(process.execPath, [...entry, ...args], {
    env: { ...bareEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const finished = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    finished.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    finished.stderr += chunk;
  });
  child.on('close', (code) => resolve({ code, ...finished }));
  return promise;
}

const oldNode = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.20.2'}})";

describe('the command line', () => {
  it('says which Node it needs where an older one runs it, and how to call it', async () => {
    const entry = path.join(import.meta.dirname, '../bin/portcullis.mjs');
    expect(await portcullis(['--version'], {}, [entry])).toMatchObject({ stdout: `${productVersion}\n` });
    const { code, stderr } = await portcullis(['check'], {}, ['--import', oldNode, entry]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^portcullis: Node 26 is needed, and this is 20\.20\.2\./);
    expect(stderr).toContain('PATH="$PWD/node_modules/.bin:$PATH" portcullis check');
  });

  it('colours no terminal with what it quotes, be it a word or a file', async () => {
    const hostile = 'x\u001b[31m\u202e';
    const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-words-'));
    for (const args of [[hostile], ['restore', hostile]]) {
      const { code, stderr } = await portcullis(args, { PORTCULLIS_DATA_DIR: folder });
      expect(code).not.toBe(0);
      expect(stderr).toContain('u001b[31m');
      expect(stderr).not.toMatch(/[\u001b\u202e]/);
    }
    rmSync(folder, { recursive: true });
  });

  it('tells its version and how it is used', async () => {
    expect(await portcullis(['--version'])).toMatchObject({ code: 0, stdout: `${productVersion}\n` });
    const { stdout, code } = await portcullis([]);
    expect(code).toBe(0);
    for (const word of ['start', 'admin reset', 'check', 'PORTCULLIS_DATA_DIR'])
      expect(stdout).toContain(word);
  });

  it.each([['fly'], ['admin', 'promote']])('refuses what it does not know: %s', async (...args) => {
    const { code, stderr } = await portcullis(args);
    expect(code).toBe(2);
    expect(stderr).toContain('is not a command');
  });

  it('refuses an option that does not exist, in one sentence', async () => {
    const { code, stderr } = await portcullis(['start', '--fast']);
    expect(code).toBe(2);
    expect(stderr).toBe("portcullis: Unknown option '--fast'\nSee portcullis --help.\n");
  });

  it('refuses a word that a command would not read', async () => {
    const { code, stderr } = await portcullis(['start', 'demo']);
    expect(code).toBe(2);
    expect(stderr).toBe("portcullis: start takes options alone, and no 'demo'\nSee portcullis --help.\n");
  });

  it('leaves a supervisor to try again where a database is away', async () => {
    const { code, stderr } = await portcullis(['service'], {
      PORTCULLIS_DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none`,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('cannot be reached');
  });

  it('reports all wrong settings at once and starts nothing', async () => {
    const { code, stderr, stdout } = await portcullis(['start'], {
      PORTCULLIS_HTTP_PORT: '123456',
      PORTCULLIS_GATEWAY_WORKERS: 'many',
    });
    expect(code).toBe(78);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      'Portcullis cannot start: the settings need attention.\n' +
        '  - PORTCULLIS_HTTP_PORT lies above 65535\n' +
        '  - PORTCULLIS_GATEWAY_WORKERS is not a number\n',
    );
  });
});
