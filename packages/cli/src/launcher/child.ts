import { type ChildProcess, spawn } from 'node:child_process';
import { z } from 'zod';

/** What a child process tells the launcher. */
export const ChildMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    port: z.number().int(),
    httpsPort: z.number().int().optional(),
    setupLink: z.string().optional(),
  }),
  z.object({ type: z.literal('failed'), message: z.string(), mend: z.string().optional() }),
]);
export type ChildMessage = z.infer<typeof ChildMessage>;
export type Ready = Extract<ChildMessage, { type: 'ready' }>;

export type Start =
  | { readonly ok: true; readonly child: ChildProcess; readonly ready: Ready }
  | { readonly ok: false; readonly message: string; readonly mend?: string };

/** What is started, and how. */
export interface ChildOptions {
  /** command and arguments of the cli, for example `['gateway', '--id', 'gateway-1']` */
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** the file that takes them, this process's own where absent */
  readonly entry?: string | undefined;
  /** after so many milliseconds without a word it is ended; absent waits as long as it takes */
  readonly readyWithinMs?: number | undefined;
}

/** Starts one process of the product. `started` resolves once it serves, says why it cannot, or ended. */
export function startChild(options: ChildOptions): { child: ChildProcess; started: Promise<Start> } {
  const { args, environment, entry = process.argv[1], readyWithinMs } = options;
  if (!entry) throw new Error('the launcher does not know its own entry file');
  const child = spawn(process.execPath, [...process.execArgv, entry, ...args], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { promise, resolve } = Promise.withResolvers<Start>();
  child.on('message', (raw) => {
    const message = ChildMessage.parse(raw);
    if (message.type === 'ready') resolve({ ok: true, child, ready: message });
    else resolve({ ok: false, message: message.message, ...(message.mend && { mend: message.mend }) });
  });
  child.on('error', (error) => resolve({ ok: false, message: `cannot start a process: ${error.message}` }));
  child.on('exit', (code, signal) =>
    resolve({ ok: false, message: `${args[0]} ended before it was ready (${signal ?? `code ${code}`})` }),
  );
  if (readyWithinMs === undefined) return { child, started: promise };
  const late = setTimeout(() => {
    resolve({ ok: false, message: `${args[0]} was not ready within ${readyWithinMs / 1000} s` });
    child.kill('SIGKILL');
  }, readyWithinMs);
  return { child, started: promise.finally(() => clearTimeout(late)) };
}

/** Asks a child to drain, and ends it by force once the grace is over. Resolves when it is gone. */
export async function stopChild(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(force);
}
