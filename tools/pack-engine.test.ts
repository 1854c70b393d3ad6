import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name);

const program = `
import { compilePolicy, inspect } from '@portcullis/engine';
import { loadSeclang } from '@portcullis/engine/seclang';

const policy = compilePolicy({
  securityLevel: 'medium',
  categories: { sql_injection: { enabled: true, mode: 'block', sensitivity: 'medium' } },
});
const { decision } = inspect(policy, {
  method: 'GET', target: "/?id=1'+or+1=1--", httpVersion: '1.1', scheme: 'https', headers: [], clientIp: '192.0.2.7',
});
console.log(decision, typeof loadSeclang);
`;

/** A program of somebody else's, which has nothing of this repository but the package. */
describe('the engine as a package', () => {
  const project = mkdtempSync(path.join(tmpdir(), 'portcullis-package-'));
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: project, encoding: 'utf8' });

  beforeAll(() => {
    const packed = run(bin('node'), path.join(root, 'tools', 'pack-engine.ts'), project).trim();
    writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
    run('npm', 'install', '--offline', '--no-audit', '--no-fund', packed);
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('runs as JavaScript', () => {
    writeFileSync(path.join(project, 'main.js'), program);
    expect(run(bin('node'), 'main.js')).toBe('block function\n');
  });

  it('brings its types, without those of Node', () => {
    writeFileSync(
      path.join(project, 'main.ts'),
      `declare const console: { log(...all: unknown[]): void };${program}`,
    );
    const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2024', types: [] };
    writeFileSync(
      path.join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['main.ts'] }),
    );
    expect(run(bin('tsc'))).toBe('');
  });
});
