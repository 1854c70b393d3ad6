import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import { startGateway, startUpstream } from '../packages/gateway/src/testing/index.ts';
import type { BenchmarkResult } from './run.ts';

export const onDemand = true;

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const difficulties = ['low', 'medium', 'high'] as const;

interface Solved {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

/** Loads a challenged page in a fresh context and stops the clock when the browser sends its answer. */
async function solve(browser: Browser, url: string): Promise<Solved> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    // Time that the page's own thread ran, not that it waited for a busy machine.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const threadSeconds = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    };
    const answered = Promise.withResolvers<void>();
    await page.route('**/.portcullis/challenge', async (route) => {
      answered.resolve();
      await route.abort();
    });
    const [began, cpuBegan] = [performance.now(), await threadSeconds()];
    await page.goto(url);
    await answered.promise;
    const wallSeconds = (performance.now() - began) / 1000;
    return { wallSeconds, cpuSeconds: (await threadSeconds()) - cpuBegan };
  } finally {
    await context.close();
  }
}

const at = (values: readonly number[], share: number) =>
  Number(
    (values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN).toFixed(2),
  );

/**
 * How long the browser check takes in a real Chromium, by difficulty. Flags: `--runs=N` for each (12).
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const title = 'Challenge: time until a browser has solved it';
  if (!existsSync(executablePath)) {
    return {
      title: `${title}: not measured`,
      notes: ['Install Chromium: apt-get install chromium'],
      rows: [],
    };
  }
  const runs = Number(args.find((arg) => arg.startsWith('--runs='))?.split('=')[1] ?? 12);
  await using upstream = await startUpstream();
  await using gateway = await startGateway({
    sites: difficulties.map((difficulty) => ({
      domains: [`${difficulty}.localhost`],
      backend_url: upstream.url,
      bot_protection: { enabled: true, difficulty },
    })),
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const solved = new Map<string, Solved[]>(difficulties.map((difficulty) => [difficulty, []]));
  try {
    for (let round = 0; round < runs; round++) {
      for (const difficulty of difficulties)
        solved.get(difficulty)?.push(await solve(browser, `http://${difficulty}.localhost:${gateway.port}/`));
    }
    return {
      title,
      notes: [
        `${browser.version()}, ${runs} fresh visits each in turn; processor time is of the page's own thread`,
        'searching is luck: the median says what is usual, the ninth of ten what the unlucky wait',
      ],
      rows: difficulties.map((difficulty) => {
        const all = solved.get(difficulty) ?? [];
        const [cpu, wall] = [all.map((one) => one.cpuSeconds), all.map((one) => one.wallSeconds)];
        return {
          difficulty,
          'CPU s, median': at(cpu, 0.5),
          'CPU s, p90': at(cpu, 0.9),
          'wall s, median': at(wall, 0.5),
          'wall s, p90': at(wall, 0.9),
        };
      }),
    };
  } finally {
    await browser.close();
  }
}
