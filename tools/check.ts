// `npm run check`: format, lint, types, import rule, unused code. All run, then all failures are shown together.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const bin = path.join(root, 'node_modules', '.bin');

interface Check {
  name: string;
  command: string;
  args: string[];
}

// TypeScript 7, which is quick and has no programming interface; what needs one (lint, import rule) runs on 6.
const tsc = path.join('..', 'typescript-native', 'bin', 'tsc');

const types = (project: string): Check => ({
  name: `types ${project}`,
  command: tsc,
  args: ['--noEmit', '-p', project],
});

const checks: Check[] = [
  {
    name: 'promises and sizes',
    command: 'eslint',
    // All of it as one program: what is shared is read once, where each package's own would read it again.
    args: [
      ...['-c', 'tools/eslint.config.mjs', '.'],
      ...['--parser-options', 'projectService:false', '--parser-options', 'project:tools/tsconfig.lint.json'],
    ],
  },
  {
    name: 'import rule',
    command: 'depcruise',
    args: [
      '--config',
      'tools/dependency-rules.cjs',
      '--output-type',
      'err-long',
      'packages',
      'tools',
      'e2e',
      'benchmarks',
    ],
  },
  // All that runs on Node as one program, for the same reason.
  types('.'),
  types('packages/console'),
  types('packages/engine/tsconfig.pure.json'),
  { name: 'unused code', command: 'knip', args: ['-c', 'tools/knip.json', '--no-progress'] },
  { name: 'format and lint', command: 'biome', args: ['ci', '--colors=off', '.'] },
];

interface Outcome {
  check: Check;
  passed: boolean;
  output: string;
  seconds: number;
}

function run(check: Check): Promise<Outcome> {
  const started = performance.now();
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const child = spawn(path.join(bin, check.command), check.args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const finish = (passed: boolean) =>
    resolve({ check, passed, output, seconds: (performance.now() - started) / 1000 });
  child.on('error', (error) => {
    output += error.message;
    finish(false);
  });
  child.on('close', (code) => finish(code === 0));
  return promise;
}

const queue = [...checks];
const outcomes: Outcome[] = [];
async function work(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const outcome = await run(next);
    outcomes.push(outcome);
    console.log(
      `${outcome.passed ? 'ok  ' : 'FAIL'} ${outcome.check.name} (${outcome.seconds.toFixed(1)} s)`,
    );
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));

const failed = outcomes.filter((outcome) => !outcome.passed);
for (const { check, output } of failed) console.log(`\n── ${check.name}\n${output.trim()}`);
process.exitCode = failed.length === 0 ? 0 : 1;
