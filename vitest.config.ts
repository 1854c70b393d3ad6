import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const all = ['packages', 'tools', 'benchmarks', 'e2e'].map((folder) => `${folder}/**/*.test.{ts,tsx}`);
const pure = ['engine', 'contract', 'console'].map((name) => `packages/${name}/**/*.test.{ts,tsx}`);

export default defineConfig({
  test: {
    projects: [
      // What is pure shares its modules: loading them takes longer than most of its tests.
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'whole', include: all, exclude: [...configDefaults.exclude, ...pure] } },
    ],
    pool: 'forks',
    // Many tests wait, for a process, a time limit or a database, so two more than there are cores. By default it is
    // one less.
    maxWorkers: availableParallelism() + 2,
    // The end of what hangs, not a measure: a busy machine is slow and right.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
