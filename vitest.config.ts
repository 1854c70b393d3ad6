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
    // Vitest leaves one core idle by default, which on two cores is half of the machine.
    maxWorkers: availableParallelism(),
    // The end of what hangs, not a measure: a busy machine is slow and right.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
