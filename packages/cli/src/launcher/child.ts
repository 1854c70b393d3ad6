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

/**
 * Starts one process of the product and waits until it serves, says why it cannot, or ends.
 * @param args command and arguments of the cli, for example `['gateway', '--id', 'gateway-1']`
 */
export function startChild(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Start> {
  const entry = process.argv[1];
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
  return promise;
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
