import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const house = mkdtempSync(path.join(tmpdir(), 'portcullis-lint-'));
afterAll(() => rmSync(house, { recursive: true }));

interface FileReport {
  messages: { ruleId: string | null; message: string }[];
}

function lint(name: string, text: string): (string | null)[] {
  const config = { compilerOptions: { strict: true, module: 'nodenext', target: 'es2024', types: [] } };
  mkdirSync(path.dirname(path.join(house, name)), { recursive: true });
  writeFileSync(path.join(house, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(path.join(house, name), text);
  const eslint = path.join(root, 'node_modules', '.bin', 'eslint');
  const args = ['-c', path.join(root, 'tools', 'eslint.config.mjs'), '--format', 'json', name];
  const done = spawnSync(eslint, args, { cwd: house, encoding: 'utf8' });
  const [report] = JSON.parse(done.stdout) as FileReport[];
  return report?.messages.map((message) => message.ruleId ?? message.message) ?? [];
}

const later = 'const later = async (): Promise<void> => {};\n';

describe('the lint', () => {
  it('fires on a promise that nobody waits for', () => {
    expect(lint('floating.ts', `${later}later();\nexport {};\n`)).toEqual([
      '@typescript-eslint/no-floating-promises',
    ]);
  });

  it('fires on a promise where a plain callback is wanted', () => {
    expect(lint('misused.ts', `${later}if (later()) { void later(); }\nexport {};\n`)).toContain(
      '@typescript-eslint/no-misused-promises',
    );
  });

  it('fires on a file over 400 lines and on a function over 60', () => {
    const long = `export function long(): void {\n${'  void 0;\n'.repeat(60)}}\n`;
    expect(lint('long.ts', long)).toEqual(['max-lines-per-function']);
    expect(lint('longer.ts', 'export {};\n'.repeat(401))).toEqual(['max-lines']);
  });

  it('is silent on code that waits', () => {
    expect(lint('waits.ts', `${later}await later();\nexport {};\n`)).toEqual([]);
  });
});
