// `npm test`: checks, then unit and integration tests, then the journeys in a real browser. All of them run even
// when an earlier one fails, and the last line adds them up. What failed beside everything else runs once more:
// what passes then is no reason to stop a change, and is named, because somebody has to look at it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { redisMissing } from '../packages/cli/src/redis/testing/index.ts';
import { postgresMissing } from '../packages/service/src/storage/testing/index.ts';

const root = path.resolve(import.meta.dirname, '..');
const results = path.join(root, '.cache', 'test');
const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** files, or tests of the browser, that passed only when they ran again */
  unsteady: string[];
}

const nothing: Tally = { passed: 0, failed: 0, skipped: 0, unsteady: [] };

function run(command: string, args: string[], environment: NodeJS.ProcessEnv = {}): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const child = spawn(path.join(root, 'node_modules', '.bin', command), args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Compiled once for all the products that the tests start: halves the processor time of a start.
    env: { NODE_COMPILE_CACHE: path.join(root, '.cache', 'code'), ...process.env, ...environment },
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
  return code === 0 ? { ...nothing, passed: 1 } : { ...nothing, failed: 1 };
}

/** Reads what a runner counted. A runner that failed without counting a failure counts as one. */
function tally(file: string, code: number, read: (report: never) => Tally): Tally {
  const counted = existsSync(file) ? read(JSON.parse(readFileSync(file, 'utf8')) as never) : nothing;
  return code !== 0 && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  /** one a file */
  testResults: { name: string; status: 'passed' | 'failed' }[];
}

async function vitest(report: string, files: string[]): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return run('vitest', ['run', ...reporters, ...files]);
}

async function unit(): Promise<Tally> {
  console.log('── unit and integration tests');
  const file = path.join(results, 'unit.json');
  let failedFiles: string[] = [];
  const code = await vitest(file, []);
  const first = tally(file, code, (report: VitestReport) => {
    failedFiles = report.testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name }) => path.relative(root, name));
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests,
      unsteady: [],
    };
  });
  if (failedFiles.length === 0) return first;
  console.log('── those files once more, alone');
  if ((await vitest(path.join(results, 'unit-again.json'), failedFiles)) !== 0) return first;
  return { ...first, passed: first.passed + first.failed, failed: 0, unsteady: failedFiles };
}

interface PlaywrightSuite {
  specs: { title: string; file: string; tests: { status: string }[] }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

/** The names of the tests that passed only on their second run. */
function flakyIn(suites: readonly PlaywrightSuite[]): string[] {
  return suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs
      .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
      .map(({ file, title }) => `${file}: ${title}`),
    ...flakyIn(inner),
  ]);
}

/** A project of e2e/playwright.config.ts. */
type Project = 'journeys' | 'machines' | 'screens';

function isMissing(project: Project): boolean {
  const missing = existsSync(chromium)
    ? project === 'machines' && (redisMissing ?? postgresMissing)
    : `There is no Chromium at ${chromium}. Install Debian's chromium, or name one with CHROMIUM_PATH.`;
  if (missing) console.log(`Skipped: ${project}. ${missing}`);
  return Boolean(missing);
}

async function browser(...projects: Project[]): Promise<Tally> {
  console.log(`── ${projects.join(' and ')} in Chromium`);
  const possible = projects.filter((project) => !isMissing(project));
  const left = projects.length - possible.length;
  if (possible.length === 0) return { ...nothing, skipped: left };
  const file = path.join(results, `${projects.join('-')}.json`);
  const args = [
    ...['test', '-c', 'e2e/playwright.config.ts', '--retries=1', '--reporter=list,json'],
    ...possible.map((project) => `--project=${project}`),
  ];
  const code = await run('playwright', args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file, CHROMIUM_PATH: chromium });
  return tally(file, code, ({ stats, suites }: PlaywrightReport) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped + left,
    unsteady: flakyIn(suites),
  }));
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const tallies = [
  await check(),
  await unit(),
  await browser('journeys', 'machines'),
  await browser('screens'),
];
const sum = (key: 'passed' | 'failed' | 'skipped') =>
  tallies.reduce((total, counted) => total + counted[key], 0);
const unsteady = tallies.flatMap((counted) => counted.unsteady);
if (unsteady.length > 0) {
  console.log(`\nPassed only when run again, so look at them: ${['', ...unsteady].join('\n  ')}`);
}
const skipped = sum('skipped');
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
