import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'packages/**/*.test.tsx',
      'tools/**/*.test.ts',
      'benchmarks/**/*.test.ts',
      'e2e/**/*.test.ts',
    ],
    pool: 'forks',
    // Many tests wait, for a process, a time limit or a database, so one more than there are cores. By default it is
    // one less.
    maxWorkers: availableParallelism() + 1,
    // The end of what hangs, not a measure: a busy machine is slow and right.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
