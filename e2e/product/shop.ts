import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { type Staffed, startStaffed } from './staff.ts';
import { ask, startUpstream } from './upstream.ts';

/** What a gateway blocks by its defaults, as the value of a parameter. */
export const attack = "1'%20UNION%20SELECT%20password%20FROM%20users--";

/** A started product with its staff that protects one site, Shop. */
export interface Shop extends Staffed {
  readonly host: string;
  readonly siteId: string;
  /** Asks the gateway for a path of the shop, from an address of this machine. @returns the status */
  status(path: string, from?: string): Promise<number>;
}

/** Starts the product, adds the site, and waits until the gateway forwards to it. */
export async function startShop(): Promise<Shop> {
  const upstream = await startUpstream((_request, response) => response.end('fine'));
  const staffed = await startStaffed();
  const host = 'shop.example.com';
  const { id } = (await staffed.api.post('/sites', {
    name: 'Shop',
    domains: [host],
    backend_url: upstream.url,
  })) as { id: string };
  const status = async (path: string, from?: string) =>
    (await ask({ port: staffed.product.gatewayPort, host, path, ...(from && { from }) })).status;
  await expect.poll(() => status('/')).toBe(200);
  return {
    ...staffed,
    host,
    siteId: id,
    status,
    async stop() {
      await staffed.stop();
      await upstream.stop();
    },
  };
}

/** A page that is signed in, in a browser context of its own. @param base the console, or a proxy in front of it */
export async function signedIn(browser: Browser, token: string, address: string): Promise<Page> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  // Once: a page that signs out stays signed out.
  await page.addInitScript(
    `if (!sessionStorage.getItem('entered')) { sessionStorage.setItem('entered', '1'); localStorage.setItem('token', '${token}'); }`,
  );
  await page.goto(address);
  return page;
}

/** Opens the live log and waits until it is connected. @param base the console, or a line to it */
export async function watchLog(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/logs`);
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
}

/** Opens the newest event of a path from the live log. */
export async function openEvent(page: Page, path: string): Promise<Locator> {
  const events = page.getByRole('region', { name: 'Live events, newest first' }).getByRole('listitem');
  await events.filter({ hasText: path }).first().click();
  return page.getByRole('dialog', { name: 'Event' });
}
