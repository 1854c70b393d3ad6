import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '../log/index.ts';
import { type SuperviseOptions, supervise } from './supervisor.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-supervisor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const soon = { timeout: 50_000, interval: 20 };
let scripts = 0;

/** A process that notes when it begins, and then does as it is told. */
function supervised(script: string, options: Partial<SuperviseOptions> = {}) {
  scripts += 1;
  const entry = path.join(folder, `${scripts}.mjs`);
  const begun = path.join(folder, `${scripts}.txt`);
  writeFileSync(begun, '');
  writeFileSync(
    entry,
    `import { appendFileSync, readFileSync } from 'node:fs';
const nth = readFileSync(${JSON.stringify(begun)}, 'utf8').length;
appendFileSync(${JSON.stringify(begun)}, '.');
${script}`,
  );
  const lines: { at: number; text: string }[] = [];
  const log = createLog('launcher', (text) => void lines.push({ at: performance.now(), text }));
  const one = supervise({
    ...{ name: 'gateway-1', args: ['gateway'], environment: () => process.env, log, entry },
    ...options,
  });
  return { one, lines, begun: () => readFileSync(begun, 'utf8').length };
}

const ready = `process.send({ type: 'ready', port: 1 });`;

describe('a process that ends', () => {
  test('is started again, each time after a longer pause', async () => {
    // Node writes what it sends before it leaves.
    const { one, lines } = supervised(`process.send({ type: 'ready', port: 1 }, () => process.exit(3));`);
    expect(await one.start()).toMatchObject({ ok: true, ready: { port: 1 } });
    await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(5), soon);
    await one.stop(5000);
    expect(lines[0]?.text).toMatch(/gateway-1 ended and is started again reason="code 3"/);
    const gaps = lines.slice(1, 5).map(({ at }, index) => at - (lines[index]?.at ?? 0));
    // Each holds a start of Node beside the pause: 100, 300, 700, 1,500 ms.
    for (const [index, pauseMs] of [100, 300, 700, 1500].entries())
      expect(gaps[index]).toBeGreaterThan(pauseMs);
  });

  test('before it is ready is told of, and tried until it starts', async () => {
    const script = `if (nth > 0 && nth < 3) process.exit(4);
${ready}
if (nth === 0) setTimeout(() => process.exit(0), 10);
else setInterval(() => {}, 1000);`;
    const { one, lines, begun } = supervised(script);
    await one.start();
    await vi.waitFor(() => expect(begun()).toBe(4), soon);
    const failed = lines.filter(({ text }) => text.includes('gateway-1 cannot start'));
    expect(failed.map(({ text }) => /code \d/.exec(text)?.[0])).toEqual(['code 4', 'code 4']);
    await one.stop(5000);
  });
});

describe('a process that never says that it is ready', () => {
  const silent = `setInterval(() => {}, 1000);`;

  test('is ended, and the reason told', async () => {
    const { one } = supervised(silent, { readyWithinMs: 500 });
    expect(await one.start()).toEqual({ ok: false, message: 'gateway was not ready within 0.5 s' });
    await one.stop(5000);
  });

  test('is ended where it was being started again, and tried anew', async () => {
    const whose = path.join(folder, 'late.txt');
    const { one, lines, begun } = supervised(
      `if (nth === 1) appendFileSync(${JSON.stringify(whose)}, String(process.pid));
else ${ready}
if (nth === 0) setTimeout(() => process.exit(0), 10);
${silent}`,
      { readyWithinMs: 2000 },
    );
    expect(await one.start()).toMatchObject({ ok: true });
    await vi.waitFor(() => expect(begun()).toBe(3), soon);
    expect(lines.map(({ text }) => text).join('\n')).toContain(
      'gateway-1 cannot start reason="gateway was not ready within 2 s"',
    );
    const late = Number(readFileSync(whose, 'utf8'));
    expect(() => process.kill(late, 0)).toThrow('ESRCH');
    await one.stop(5000);
  });

  test('is stopped with the others while it is being started again', async () => {
    const { one, begun } = supervised(`if (nth === 0) ${ready}
if (nth === 0) setTimeout(() => process.exit(0), 10);
${silent}`);
    await one.start();
    await vi.waitFor(() => expect(begun()).toBe(2), soon);
    await one.stop(5000);
  });
});
