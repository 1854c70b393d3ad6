import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a benchmark gives back: a table for people, data for machines. */
export interface BenchmarkResult {
  readonly title: string;
  /** how it was measured, one line each */
  readonly notes: readonly string[];
  readonly rows: readonly Record<string, string | number>[];
}

/** A benchmark is a file of this folder that exports `run`. */
export interface Benchmark {
  /** runs only when named, for it takes long */
  readonly onDemand?: boolean;
  run(args: readonly string[]): Promise<BenchmarkResult>;
}

const here = import.meta.dirname;
const results = path.join(here, '..', '.cache', 'bench');

function available(): string[] {
  return readdirSync(here)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'run.ts')
    .map((name) => name.slice(0, -3));
}

async function main(): Promise<void> {
  const [first, ...rest] = process.argv.slice(2);
  const named = first !== undefined && !first.startsWith('-');
  const names = named ? [first] : available();
  const args = named ? rest : process.argv.slice(2);
  for (const name of names) {
    if (!available().includes(name)) {
      console.error(`No benchmark '${name}'. There are: ${available().join(', ')}`);
      process.exitCode = 2;
      return;
    }
    const benchmark = (await import(path.join(here, `${name}.ts`))) as Benchmark;
    if (benchmark.onDemand && !named) continue;
    const result = await benchmark.run(args);
    console.log(`\n${result.title}`);
    for (const note of result.notes) console.log(`  ${note}`);
    console.table(result.rows);
    mkdirSync(results, { recursive: true });
    const file = path.join(results, `${name}.json`);
    writeFileSync(file, `${JSON.stringify({ measuredAt: new Date().toISOString(), ...result }, null, 2)}\n`);
    console.log(`  written to ${path.relative(process.cwd(), file)}`);
  }
}

await main();
