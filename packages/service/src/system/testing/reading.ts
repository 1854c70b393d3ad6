// A process that is put into a control group, then holds memory and uses a core, and says what the host reader makes
// of it. Begins with a line on its standard input. Started as `node reading.ts MEGABYTES MILLISECONDS`.
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { readHost } from '../index.ts';

const [megabytes = 0, milliseconds = 0] = process.argv.slice(2).map(Number);
await once(process.stdin, 'data');
const held = Buffer.alloc(megabytes * 1024 * 1024, 1);
const began = performance.now();
const before = { host: await readHost(tmpdir()), own: process.cpuUsage() };
const readBefore = performance.now();
const until = performance.now() + milliseconds;
while (performance.now() < until);
const own = process.cpuUsage(before.own);
const spun = performance.now();
const after = await readHost(tmpdir());
const betweenMs = { least: spun - readBefore, most: performance.now() - began };
const usedMicros = own.user + own.system;
const said = { before: before.host, after, betweenMs, usedMicros, held: held.length };
process.stdout.write(`${JSON.stringify(said)}\n`);
// What the group counts is read from outside while it stands.
await once(process.stdin, 'end');
