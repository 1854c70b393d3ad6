import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { bareEnvironment } from '../../testing/index.ts';

const main = path.join(import.meta.dirname, '../../main.ts');

/** What a command said and how it ended. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The product's commands as an operator runs them, in processes of their own. */
export interface CommandLine {
  run(args: readonly string[], environment?: Record<string, string>): Promise<CommandResult>;
  /** Starts the service; resolves once it is ready. */
  startService(environment?: Record<string, string>): Promise<void>;
  /** Ends it as a service manager does; nothing where none runs. */
  stopService(): Promise<void>;
}

/** @param folder where commands run; the installation lies in its `data` */
export function commandLine(folder: string): CommandLine {
  let service: ChildProcess | undefined;
  const options = (more: Record<string, string> = {}) => ({
    cwd: folder,
    env: {
      ...bareEnvironment,
      PORTCULLIS_DATA_DIR: path.join(folder, 'data'),
      PORTCULLIS_ADMIN_PORT: '0',
      ...more,
    },
  });
  return {
    async run(args, more) {
      const child = spawn(process.execPath, [main, ...args], options(more));
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (chunk) => {
        stdout += chunk;
      });
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      const [code] = await once(child, 'close');
      return { code, stdout, stderr };
    },
    async startService(more) {
      const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
      const child = spawn(process.execPath, [main, 'service'], { ...options(more), stdio: [...stdio] });
      service = child;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      child.once('message', () => resolve());
      child.once('exit', (code) => reject(new Error(`The service ended with ${code}`)));
      await promise;
    },
    async stopService() {
      const running = service;
      service = undefined;
      if (!running || running.exitCode !== null) return;
      running.kill('SIGTERM');
      const [code] = await once(running, 'exit');
      if (code !== 0) throw new Error(`The service ended with ${code}`);
    },
  };
}
