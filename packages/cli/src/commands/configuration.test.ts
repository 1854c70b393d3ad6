import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createService, type Service } from '@portcullis/service';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { bareEnvironment } from '../testing/index.ts';

const main = path.join(import.meta.dirname, '../main.ts');
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

const administrator = { email: 'ada@example.com', password: 'Correct-horse-7!' };
const Token = z.object({ token: z.string() });

let port: number;
let folder: string;
let service: Service;
const dataDir = () => path.join(folder, 'data');
const file = (name: string) => path.join(folder, name);

async function run(args: string[], more: { input?: string; dataDir?: string } = {}) {
  const env = { ...bareEnvironment, PORTCULLIS_DATA_DIR: more.dataDir ?? dataDir() };
  const child = spawn(process.execPath, [main, ...args], { env, cwd: folder });
  child.stdin.end(more.input ?? '');
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  return { code, stdout, stderr };
}

async function call(method: string, route: string, body: unknown, token = ''): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/api${route}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${route} answered ${response.status}`);
  return response.json();
}

const inForce = () => {
  const [directive] = service.controlPlane.current();
  if (directive?.type !== 'snapshot') throw new Error('no snapshot');
  return directive.snapshot;
};

const shop = `portcullis: 1
sites:
  - name: Shop
    domains: [shop.example.com]
    backend_url: http://192.0.2.1:3000
`;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'portcullis-cli-'));
  service = createService({
    dataDir: dataDir(),
    adminHost: '127.0.0.1',
    adminPort: 0,
    log: quiet,
    productVersion: '0.0.0',
    bootstrapAdmin: administrator,
  });
  ({ port } = await service.start());
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

it('tells what a file would change, applies it, and the running service serves by it', async () => {
  await writeFile(file('shop.yaml'), shop);
  const { version } = inForce();
  const diff = await run(['diff', 'shop.yaml']);
  expect(diff).toMatchObject({ code: 1, stderr: '' });
  expect(diff.stdout).toContain('+ site "Shop"');
  expect(inForce().version).toBe(version);
  const applied = await run(['import', '-', '--apply', '--reason', 'From git'], { input: shop });
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  expect(applied.stdout).toContain(`1 change is in force as version ${version + 1}`);
  await vi.waitFor(() => expect(inForce().sites).toMatchObject([{ name: 'Shop' }]), 20_000);
});

it('is told as a change in the console is: in the security log, the history and by chat, with its account', async () => {
  const { token } = Token.parse(await call('POST', '/auth/login', administrator));
  const slack = { enabled: true, webhookUrl: 'http://127.0.0.1:9/services/T0/B0/x' };
  await call('PUT', '/notifications/settings', { slack }, token);
  const lists = 'portcullis: 1\naddress_lists:\n  - name: Bad\n    action: block\n    entries: [192.0.2.7]\n';
  expect(await run(['import', '-', '--apply'], { input: lists })).toMatchObject({ code: 0, stderr: '' });
  const actor = `command line (${process.env['SUDO_USER'] ?? userInfo().username})`;
  const places = [
    ['/audit', actor],
    ['/configuration/versions', actor],
    ['/notifications/outcomes', 'Protection rules were changed'],
  ] as const;
  for (const [place, what] of places) {
    const told = async () => JSON.stringify(await call('GET', place, undefined, token));
    await vi.waitFor(async () => expect(await told()).toContain(what), { timeout: 20_000, interval: 200 });
  }
});

it('exports for its own eyes what another installation takes', async () => {
  await writeFile(file('passphrase'), 'correct horse battery\n', { mode: 0o600 });
  const exported = await run(['export', 'all.yaml', '--passphrase-file', 'passphrase']);
  expect(exported).toMatchObject({ code: 0, stderr: '' });
  expect((await stat(file('all.yaml'))).mode & 0o777).toBe(0o600);
  const document = await readFile(file('all.yaml'), 'utf8');
  expect(document).toContain('secrets: scrypt17.');
  // What it wrote is what is in force, secrets and all.
  const same = await run(['import', 'all.yaml', '--passphrase-file', 'passphrase']);
  expect(same).toMatchObject({ code: 0, stdout: 'The file and the configuration in force are the same.\n' });
});

it('tells everything that is wrong with a file by its line, and changes nothing', async () => {
  const bad = `${shop}    securty_level: high\n  - name: Two\n    domains: []\n    backend_url: ftp://x\n`;
  await writeFile(file('bad.yaml'), bad);
  const { version } = inForce();
  const refused = await run(['import', 'bad.yaml', '--apply']);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^bad\.yaml:6: sites\.0\.securty_level: There is no such field here/m);
  expect(refused.stderr).toMatch(/^bad\.yaml:8: sites\.1\.domains: At least one domain is required/m);
  expect(refused.stderr).toMatch(/^bad\.yaml:9: sites\.1\.backend_url: The upstream URL starts with/m);
  expect(refused.stderr).toContain('portcullis: The file was refused as it is. Nothing was changed');
  expect(inForce().version).toBe(version);
});

it('names the file or folder that is not there, and what to do', async () => {
  const asked = [
    ['diff', 'gone.yaml'],
    ['import', 'gone.yaml'],
    ['check', '--seclang', 'gone.yaml'],
  ];
  for (const { stdout, stderr } of await Promise.all(asked.map((args) => run(args)))) {
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^portcullis: There is no gone\.yaml\nTo mend it: check the name/);
    expect(stderr).not.toContain('ENOENT');
  }
  expect((await run(['import', '.'])).stderr).toContain('is a folder, and a file is needed');
});

it('wants a file and an installation, and makes none', async () => {
  expect((await run(['import'])).code).toBe(2);
  const nowhere = file('nowhere');
  const none = await run(['export'], { dataDir: nowhere });
  expect(none).toMatchObject({ code: 1 });
  expect(none.stderr).toContain(`There is no database in ${nowhere}`);
  await expect(stat(nowhere)).rejects.toThrow('ENOENT');
});
