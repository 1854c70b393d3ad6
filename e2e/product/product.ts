import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../packages/service/src/storage/testing/free-port.ts';

export { freePort };

const root = path.resolve(import.meta.dirname, '../..');
const cli = path.join(root, 'packages', 'cli', 'src', 'main.ts');
const readyWithinMs = 90_000;

/** The started product: the real launcher, service and gateways on ports and a data folder of their own. */
export interface Product {
  readonly console: string;
  readonly gatewayPort: number;
  readonly setupLink: string | undefined;
  readonly dataDir: string;
  readonly launcher: ChildProcess;
  /** all that its processes printed */
  output(): string;
  /** SIGTERM, as a service manager stops it. @returns the exit code */
  stop(): Promise<number | null>;
}

/** The product as somebody runs it, on one machine or on several: a journey is the same in both. */
export interface Installation extends Pick<Product, 'console' | 'gatewayPort' | 'setupLink' | 'output'> {
  /** Stops it as a service manager does, and starts it on what it had stored. @throws where it did not end well */
  restart(): Promise<Installation>;
  /** Stops it for good; nothing of it is kept. */
  stop(): Promise<void>;
}

export interface ProductOptions {
  /** kept by the caller to start again on the same data; absent: a new one that goes with the product */
  dataDir?: string;
  args?: string[];
  environment?: Record<string, string>;
  gatewayPort?: number;
}

/** Starts `portcullis start` and waits for its greeting. Rejects with all that it printed when it ends first. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'portcullis-e2e-'));
  const launcher = spawn(process.execPath, [cli, 'start', ...(options.args ?? [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORTCULLIS_DATA_DIR: dataDir,
      PORTCULLIS_ADMIN_PORT: '0',
      PORTCULLIS_HTTP_HOST: '127.0.0.1',
      PORTCULLIS_HTTP_PORT: String(options.gatewayPort ?? (await freePort())),
      PORTCULLIS_HTTPS_PORT: '0',
      PORTCULLIS_GATEWAY_WORKERS: '2',
      ...options.environment,
    },
  });
  const exited = new Promise<number | null>((resolve) => launcher.once('exit', resolve));
  let printed = '';
  const greeted = Promise.withResolvers<void>();
  const collect = (chunk: Buffer) => {
    printed += chunk.toString('utf8');
    if (/ Data {6}.*\n[\s\S]*\n$/.test(printed)) greeted.resolve();
  };
  launcher.stdout.on('data', collect);
  launcher.stderr.on('data', collect);
  const timer = setTimeout(() => greeted.reject(new Error(`not ready in time:\n${printed}`)), readyWithinMs);
  void exited.then((code) => greeted.reject(new Error(`ended with ${code}:\n${printed}`)));
  await greeted.promise.finally(() => clearTimeout(timer));
  return {
    console: found(printed, /Console {3}(\S+)/),
    gatewayPort: Number(found(printed, /Gateway {3}:(\d+)/)),
    setupLink: /^ {2}(http\S+\/setup\S+)$/m.exec(printed)?.[1],
    dataDir,
    launcher,
    output: () => printed,
    async stop() {
      launcher.kill('SIGTERM');
      const code = await exited;
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

function found(text: string, pattern: RegExp): string {
  const value = pattern.exec(text)?.[1];
  if (!value) throw new Error(`the launcher did not print ${pattern}:\n${text}`);
  return value;
}
