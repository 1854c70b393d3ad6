import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

/** Prints which parts that serve nothing in a worker are there after the gateway was imported. */
const script = `
  import { createRequire } from 'node:module';
  await import(process.argv[1]);
  const files = Object.keys(createRequire(import.meta.url).cache);
  const own = files.filter((file) => /undici.lib.dispatcher.client\\.js$/.test(file)).length;
  const needless = files.filter((file) => /undici.(?:index\\.js|lib.(?:web|mock|cache).)/.test(file));
  const second = process.moduleLoadList.filter((name) => name.endsWith('deps/undici/undici'));
  console.log(JSON.stringify({ own, needless, second }));
`;

it('a worker loads its HTTP client, and nothing around it', async () => {
  const gateway = new URL('./index.ts', import.meta.url).href;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, gateway]);
  expect(JSON.parse(stdout)).toEqual({ own: 1, needless: [], second: [] });
}, 60_000);
