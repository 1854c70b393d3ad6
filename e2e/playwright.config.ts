import { defineConfig } from '@playwright/test';

/**
 * Real processes and a real browser. The journeys hold the product to its times ("within a second"), so those of each
 * project run one after the other; the screens of spec/ each have a product of their own and share the machine.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  // One more than the two cores that they are made for: a screen waits as often as it works.
  workers: 3,
  projects: [
    { name: 'journeys', testDir: 'journeys', workers: 1 },
    // The same on PostgreSQL and Redis, with two services and two gateways; the keyboard knows no difference.
    { name: 'machines', testDir: 'journeys', testIgnore: '**/by-keyboard.spec.ts', workers: 1 },
    { name: 'screens', testDir: 'spec' },
  ],
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    actionTimeout: 20_000,
    // A trace of every test costs more than the tests; `npm run e2e -- --trace on` where one is wanted.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
