import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { LineFile } from './line-file.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function start(maxBytes = 1024 * 1024) {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-lines-'));
  folders.push(folder);
  const worker = (id: string) => new LineFile({ folder, name: 'json.log', maxBytes, worker: id });
  const files = () => readdirSync(folder).map((name) => path.join(folder, name));
  const lines = () => files().flatMap((file) => readFileSync(file, 'latin1').split('\n').slice(0, -1));
  return { folder, worker, files, lines };
}

describe('a file of lines', () => {
  test('is shared by several workers: every line is whole and there once, over every change of file', async () => {
    const { worker, files, lines } = start(1024 * 1024);
    const workers = ['a', 'b', 'c', 'd'];
    const work = async (id: string) => {
      const file = worker(id);
      for (let i = 0; i < 400; i++) {
        file.add(`${id}${i} ${id.repeat(300)}\n`);
        if (i % 7 === 0) await file.flush();
      }
      await file.close();
      expect(file.takeDropped()).toBe(0);
    };
    await Promise.all(workers.map(work));
    expect(files().length).toBeGreaterThan(2);
    const wanted = workers.flatMap((id) =>
      Array.from({ length: 400 }, (_, i) => `${id}${i} ${id.repeat(300)}`),
    );
    expect(lines().sort()).toEqual(wanted.sort());
  });

  test('takes no more of the disk than it may, and lets the oldest go', async () => {
    const { worker, files, lines } = start(80_000);
    const file = worker('a');
    for (let i = 0; i < 400; i++) {
      file.add(`${String(i).padStart(1000, '0')}\n`);
      await file.flush();
    }
    const bytes = files().reduce((sum, one) => sum + statSync(one).size, 0);
    expect(bytes).toBeLessThanOrEqual(80_000);
    expect(bytes).toBeGreaterThan(60_000);
    const numbers = lines()
      .map(Number)
      .sort((a, b) => a - b);
    expect(numbers.at(-1)).toBe(399);
    expect(numbers[0]).toBe(400 - numbers.length);
  });

  test('goes on in a new one where somebody else moved it away', async () => {
    const { folder, worker, lines } = start();
    const file = worker('a');
    file.add('one\n');
    await file.flush();
    renameSync(path.join(folder, 'json.log'), path.join(folder, 'moved'));
    file.add('two\n');
    await file.flush();
    expect(readFileSync(path.join(folder, 'json.log'), 'latin1')).toBe('two\n');
    expect(lines().sort()).toEqual(['one', 'two']);
  });

  test('keeps what a full disk refuses up to a bound, and counts what is beyond it', async () => {
    const { folder, worker, lines } = start(1024 * 1024 * 1024);
    const full = path.join(folder, 'json.log');
    symlinkSync('/dev/full', full);
    const file = worker('a');
    const line = `${'x'.repeat(1023)}\n`;
    for (let i = 0; i < 8192; i++) file.add(line);
    expect(file.takeDropped()).toBe(0);
    for (let i = 0; i < 5; i++) file.add(line);
    expect(file.takeDropped()).toBe(5);
    await file.flush();
    expect(file.problem).toContain('ENOSPC');
    expect(file.takeDropped()).toBe(0);
    rmSync(full);
    await file.close();
    expect(file.problem).toBeUndefined();
    expect(file.takeDropped()).toBe(0);
    expect(lines()).toHaveLength(8192);
  });

  // Needs util-linux: a process may write a file of so many bytes and no more, as on a disk that is nearly full.
  test.runIf(process.platform === 'linux')(
    'goes on in a line of its own where a part of one was taken',
    () => {
      const { folder, lines } = start();
      const work = `
import { execFileSync } from 'node:child_process';
import { LineFile } from ${JSON.stringify(path.join(import.meta.dirname, 'line-file.ts'))};
process.on('SIGXFSZ', () => undefined);
const file = new LineFile({ folder: ${JSON.stringify(folder)}, name: 'json.log', maxBytes: 1e6, worker: 'a' });
for (let i = 0; i < 200; i++) file.add(String(i).padStart(9, '0') + '\\n');
await file.flush();
process.stdout.write(file.problem + '; ');
execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited']);
await file.close();
process.stdout.write(file.problem + '; ' + file.takeDropped());`;
      const node = [process.execPath, '--input-type=module', '-e', work];
      const said = execFileSync('prlimit', ['--fsize=1024:unlimited', ...node], { encoding: 'utf8' });
      expect(said).toBe('the disk took a part of it; undefined; 1');
      const numbers = Array.from({ length: 200 }, (_, i) => String(i).padStart(9, '0'));
      expect(lines()).toEqual(numbers.with(102, '0000'));
    },
  );

  test('counts what it could not write at the end', async () => {
    const { folder, worker } = start();
    symlinkSync('/dev/full', path.join(folder, 'json.log'));
    const file = worker('a');
    for (let i = 0; i < 3; i++) file.add('x\n');
    await file.close();
    expect(file.takeDropped()).toBe(3);
  });
});
