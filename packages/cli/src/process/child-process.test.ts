import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

const program = `
import { createLog } from ${here('../log/index.ts')};
import { runPart } from ${here('./index.ts')};
const kept = setInterval(() => {}, 1000);
const log = createLog('part', (line) => {
  process.stdout.write(line);
  if (line.includes('SIGHUP')) process.send('heard');
});
const stop = async () => {
  clearInterval(kept);
  process.stdout.write('drained');
};
await runPart({ start: async () => ({ port: 1 }), stop }, log);`;

test('SIGHUP ends no part of the product, and SIGTERM drains it afterwards', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) throw new Error('its output is piped');
  const printed = text(child.stdout);
  const ended = once(child, 'exit');
  await once(child, 'message');
  child.kill('SIGHUP');
  const heard = await Promise.race([once(child, 'message'), ended]);
  expect(heard[0]).toBe('heard');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(await printed).toMatch(/SIGHUP: nothing to read again.*drained/s);
});
