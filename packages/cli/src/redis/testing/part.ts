import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { bareEnvironment } from '../../testing/index.ts';

const entry = path.resolve(import.meta.dirname, '../../main.ts');

/** A process of the product, as an operator starts it. */
export interface PartProcess {
  readonly port: number;
  /** of a service that has no user yet */
  readonly setupLink: string | undefined;
  readonly pid: number;
  /** what it logged */
  readonly said: () => string;
  /** as by `kill -9`, or a machine that goes dark */
  kill(): Promise<void>;
  /** Holds it still, and lets it go on. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/**
 * @param args command and arguments
 * @param within what starts it, such as `nsenter` with a network of its own
 * @throws Error with what it said where it does not come to serve
 */
export async function startPart(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  within: readonly string[] = [],
): Promise<PartProcess> {
  const [program = process.execPath, ...before] = [...within, process.execPath];
  const child = spawn(program, [...before, entry, ...args], {
    env: { ...bareEnvironment, ...environment },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const { port, setupLink } = await new Promise<{ port: number; setupLink?: string }>((resolve, reject) => {
    child.on('message', (message: { type: string; port: number; setupLink?: string }) => {
      if (message.type === 'ready') resolve(message);
    });
    child.once('exit', (code, signal) => reject(new Error(`${args[0]} ended (${signal ?? code}): ${said}`)));
  });
  return {
    port,
    setupLink,
    pid: child.pid ?? 0,
    said: () => said,
    kill: () => end(child, 'SIGKILL'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop: () => end(child, 'SIGTERM'),
  };
}

/** Runs a command to its end. @returns its exit code and what it printed */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { ...bareEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, printed };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
