// `npm test`: checks, then unit and integration tests, then the journeys in a real browser. All of them run even
// when an earlier one fails, and the last line adds them up.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const results = path.join(root, '.cache', 'test');
const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

function run(command: string, args: string[], environment: NodeJS.ProcessEnv = {}): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const child = spawn(path.join(root, 'node_modules', '.bin', command), args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  child.on('error', (error) => {
    console.error(error.message);
    resolve(1);
  });
  child.on('exit', (code) => resolve(code ?? 1));
  return promise;
}

async function check(): Promise<Tally> {
  console.log('── checks');
  const code = await run('node', ['tools/check.ts']);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** Reads what a runner counted. A runner that failed without counting a failure counts as one. */
function tally(file: string, code: number, read: (report: never) => Tally): Tally {
  const counted = existsSync(file)
    ? read(JSON.parse(readFileSync(file, 'utf8')) as never)
    : { passed: 0, failed: 0, skipped: 0 };
  return code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
}

async function unit(): Promise<Tally> {
  console.log('── unit and integration tests');
  const file = path.join(results, 'unit.json');
  const code = await run('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]);
  return tally(file, code, (report: VitestReport) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
  }));
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** @param project of e2e/playwright.config.ts */
async function browser(project: 'journeys' | 'screens'): Promise<Tally> {
  console.log(`── ${project} in Chromium`);
  if (!existsSync(chromium)) {
    console.log(
      `Skipped: there is no Chromium at ${chromium}. Install Debian's chromium, or name one with CHROMIUM_PATH.`,
    );
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const file = path.join(results, `${project}.json`);
  const args = ['test', '-c', 'e2e/playwright.config.ts', `--project=${project}`, '--reporter=list,json'];
  const code = await run('playwright', args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file, CHROMIUM_PATH: chromium });
  return tally(file, code, ({ stats }: PlaywrightReport) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
  }));
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const tallies = [await check(), await unit(), await browser('journeys'), await browser('screens')];
const sum = (key: keyof Tally) => tallies.reduce((total, counted) => total + counted[key], 0);
const skipped = sum('skipped');
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
