import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const one = { version: '1.0.0', integrity: 'sha512-a' };
const elsewhere = { version: '1.0.0', optional: true, os: ['plan9'] };
const here = { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] };
const wanted = { '': {}, 'packages/one': {}, 'node_modules/one': one, 'node_modules/elsewhere': elsewhere };

/** A clone with nothing but what is asked about, and an npm that only says that it was called. */
function prepare(installed: object | undefined, options: { lock?: object; node?: string } = {}) {
  const root = mkdtempSync(path.join(tmpdir(), 'portcullis-prepare-'));
  folders.push(root);
  const write = (file: string, text: string, mode = 0o644) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text, { mode });
  };
  mkdirSync(path.join(root, 'tools'));
  copyFileSync(path.join(import.meta.dirname, 'prepare.mjs'), path.join(root, 'tools', 'prepare.mjs'));
  write('package-lock.json', JSON.stringify({ packages: options.lock ?? wanted }));
  if (installed) write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }));
  write('bin/npm', '#!/bin/sh\ntouch called\nexit 1\n', 0o755);
  const versions = JSON.stringify({ ...process.versions, node: options.node ?? process.versions.node });
  const as = `Object.defineProperty(process, 'versions', { value: ${versions} });`;
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(as)}`, 'tools/prepare.mjs'],
    { cwd: root, encoding: 'utf8', env: { PATH: `${path.join(root, 'bin')}:/usr/bin:/bin` } },
  );
  return { installs: existsSync(path.join(root, 'called')), said: stderr };
}

describe('a clone is made runnable', () => {
  it('by npm where nothing is there, or another version, or not what this machine needs', () => {
    expect(prepare(undefined).installs).toBe(true);
    expect(prepare({ 'node_modules/one': { ...one, version: '1.0.1' } }).installs).toBe(true);
    expect(prepare({}).installs).toBe(true);
    const lock = { ...wanted, 'node_modules/here': here };
    expect(prepare({ 'node_modules/one': one }, { lock }).installs).toBe(true);
  });

  it('without it where npm ci was called before', () => {
    expect(prepare({ 'node_modules/one': one }).installs).toBe(false);
    const lock = { ...wanted, 'node_modules/here': here };
    expect(prepare({ 'node_modules/one': one, 'node_modules/here': here }, { lock }).installs).toBe(false);
  });

  it.each(['18.20.8', '20.18.1', '21.7.3', '22.11.0'])('not by Node %s, and says which one does', (node) => {
    const { installs, said } = prepare(undefined, { node });
    expect(installs).toBe(false);
    expect(said).toMatch(
      new RegExp(`^portcullis: Node 20\\.19, 22\\.12 or a newer .* this is ${node}: take one`),
    );
  });

  it.each(['20.19.0', '22.12.0', '24.0.0'])('by Node %s', (node) => {
    expect(prepare(undefined, { node }).installs).toBe(true);
  });
});
