import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { type Api, signIn } from './api.ts';
import { startInstallation } from './installation.ts';
import type { Installation } from './product.ts';

export const admin = { email: 'ada@example.com', password: 'Correct-horse-7!' } as const;
export const operator = { email: 'grace@example.com', password: 'Debugging-1947!' } as const;
export const viewer = { email: 'alan@example.com', password: 'Computable-36!' } as const;

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** A started product with an administrator, an operator and a viewer. */
export interface Staffed {
  readonly product: Installation;
  /** signed in as the administrator */
  readonly api: Api;
  stop(): Promise<void>;
}

/** Starts the product with its three accounts. @param more further environment */
export async function startStaffed(more: Record<string, string> = {}): Promise<Staffed> {
  const secrets = mkdtempSync(path.join(tmpdir(), 'portcullis-staff-'));
  const file = path.join(secrets, 'password');
  writeFileSync(file, admin.password, { mode: 0o600 });
  const environment = {
    PORTCULLIS_ADMIN_EMAIL: admin.email,
    PORTCULLIS_ADMIN_PASSWORD_FILE: file,
    PORTCULLIS_GATEWAY_WORKERS: '1',
    ...more,
  };
  const product = await startInstallation(environment);
  const api = await signIn(product.console, admin.email, admin.password);
  await api.post('/users', { ...operator, role: 'operator' });
  await api.post('/users', { ...viewer, role: 'viewer' });
  return {
    product,
    api,
    async stop() {
      await product.stop();
      rmSync(secrets, { recursive: true, force: true });
    },
  };
}

/** Signs in through the sign-in screen, in a browser context of its own. Close it with `page.context().close()`. */
export async function enter(browser: Browser, product: Installation, account: Account): Promise<Page> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  await page.goto(`${product.console}/login`);
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
  return page;
}

/** Opens a route as somebody who is signed in already, in a browser context of its own. */
export async function arrive(
  browser: Browser,
  product: Installation,
  account: Account,
  route: string,
): Promise<Page> {
  const { token } = await signIn(product.console, account.email, account.password);
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  await context.addInitScript(`localStorage.setItem('token', '${token}')`);
  const page = await context.newPage();
  await page.goto(`${product.console}${route}`);
  await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeVisible();
  return page;
}

/** What an authenticator shows. @param step 0 now, 1 thirty seconds on, -1 before. @see RFC 6238 §4, RFC 4226 §5.3 */
export function totpCode(secret: string, step = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret.replace(/=+$/, '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Waits until a time step of thirty seconds is young, so that a code of the step before is still taken. */
export async function earlyInStep(): Promise<void> {
  await expect.poll(() => Date.now() % 30_000, { timeout: 30_000, intervals: [250] }).toBeLessThan(20_000);
}

/** The next calls to this path of the API answer 500, as a proxy before the service would. @returns the way back */
export async function breakCall(page: Page, pathOfCall: string): Promise<() => Promise<void>> {
  const matches = (url: URL) => url.pathname === `/api${pathOfCall}`;
  const body = JSON.stringify({ error: '', message: '' });
  await page.route(matches, (route) => route.fulfill({ status: 500, contentType: 'application/json', body }));
  return () => page.unroute(matches);
}
