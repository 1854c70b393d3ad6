import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from '@playwright/test';
import { startMachines } from './machines.ts';
import { type Installation, type ProductOptions, startProduct } from './product.ts';

/**
 * Starts it in the shape that the running project of e2e/playwright.config.ts names.
 * @param environment further environment of its processes
 */
export async function startInstallation(environment: Record<string, string> = {}): Promise<Installation> {
  if (test.info().project.name === 'machines') return startMachines(environment);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'portcullis-e2e-'));
  return launched({ dataDir, environment });
}

async function launched(options: ProductOptions & { dataDir: string }): Promise<Installation> {
  const product = await startProduct(options);
  return {
    ...product,
    async restart() {
      const code = await product.stop();
      if (code !== 0) throw new Error(`ended with ${code}:\n${product.output()}`);
      return launched({ ...options, gatewayPort: product.gatewayPort });
    },
    async stop() {
      await product.stop();
      rmSync(options.dataDir, { recursive: true, force: true });
    },
  };
}
