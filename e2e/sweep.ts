// `npm run sweep -- [words…] [--window wide|phone|enlarged] [--pictures folder]`: axe on every screen and on everything
// that opens over one: dark and light, high contrast, compact, on a wide window, a phone of 360 px and enlarged to 200 %.
// Prints what it finds, and takes a picture of each where told to. Words narrow it to names that hold one of them.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { dress, faded } from './product/accessible.ts';
import { dialogs, type Opened } from './product/dialogs.ts';
import { screens } from './product/screens.ts';
import { type Staged, startStaged } from './product/staged.ts';

const windows = {
  wide: { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
  phone: { viewport: { width: 360, height: 780 }, deviceScaleFactor: 1 },
  // A window of 1440 × 900 at 200 %.
  enlarged: { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 },
} as const;

/** The first two are judged by all rules. */
const appearances = [
  { scheme: 'dark', contrast: 'normal', density: 'normal' },
  { scheme: 'dark', contrast: 'normal', density: 'compact' },
  { scheme: 'light', contrast: 'normal', density: 'normal' },
  { scheme: 'dark', contrast: 'high', density: 'normal' },
  { scheme: 'light', contrast: 'high', density: 'normal' },
] as const;

/** for each step, on a busy machine */
const patienceMs = 30_000;

const { values, positionals: words } = parseArgs({
  options: { pictures: { type: 'string' }, window: { type: 'string' } },
  allowPositionals: true,
});
const { pictures } = values;

/** What cannot be reached by scrolling: of the page sideways, and of a dialog. */
const cutOff = `(() => {
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  for (const dialog of document.querySelectorAll('[role=dialog]')) {
    const { left, right } = dialog.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) found.push('a dialog stands out of the window');
    if (dialog.scrollWidth > dialog.clientWidth + 1) found.push('a dialog scrolls sideways');
  }
  return found;
})()`;

/**
 * Structure is the same in every appearance, sizes change with the density alone and colours not with the window: so
 * all rules run in both densities, and on a wide window the contrast of what lies on top in the other appearances.
 * Enlarged, targets are as large as on a wide window, and more of them scrolled half out of sight.
 */
async function judge(page: Page, size: string): Promise<string[]> {
  const found: string[] = await page.evaluate(cutOff);
  const onTop = (await page.getByRole('dialog').count()) > 0 ? '[role="dialog"]' : 'body';
  for (const [index, look] of (size === 'wide' ? appearances : appearances.slice(0, 2)).entries()) {
    await page.evaluate(dress(look));
    await page.evaluate(faded);
    const axe = new AxeBuilder({ page }).setLegacyMode();
    if (index > 1) axe.withRules(['color-contrast']).include(onTop);
    else axe.options({ rules: { 'target-size': { enabled: size !== 'enlarged' } } });
    for (const violation of (await axe.analyze()).violations) {
      const inSight = violation.id === 'target-size' ? await page.evaluate(unscrolled(violation)) : true;
      if (inSight) found.push(told(look, violation));
    }
  }
  return found;
}

type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number];

/** Whether one of the targets stands where it can be seen: what is scrolled below an edge is small there alone. */
const unscrolled = ({
  nodes,
}: Violation): string => `${JSON.stringify(nodes.map(({ target }) => target.join(' ')))}
  .some((selector) => {
    const element = document.querySelector(selector);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const seen = (x, y) => element.contains(document.elementFromPoint(x, y));
    return seen(left + 2, top + 2) && seen(right - 2, bottom - 2);
  })`;

function told({ scheme, contrast, density }: (typeof appearances)[number], { id, nodes }: Violation): string {
  const places = nodes
    .slice(0, 3)
    .map(({ html, any }) => `    ${html.slice(0, 160)}\n      ${any[0]?.message.slice(0, 200) ?? ''}`);
  return `${scheme}, ${contrast} contrast, ${density}: ${id}, ${nodes.length}×\n${places.join('\n')}`;
}

async function visit(page: Page, staged: Staged, what: Opened, size: string): Promise<string[]> {
  await page.goto(`${staged.product.console}${what.route}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const loading = page.locator('.mantine-Skeleton-root');
  await expect(loading).toHaveCount(0, { timeout: patienceMs });
  await what.open(page);
  await expect(loading).toHaveCount(0, { timeout: patienceMs });
  // Away from what shows a tooltip under the pointer.
  await page.mouse.move(0, 0);
  await page.evaluate(faded);
  if (pictures)
    await page.screenshot({ path: path.join(pictures, `${what.name}-${size}.png`), animations: 'disabled' });
  return judge(page, size);
}

async function sweep(browser: Browser, staged: Staged): Promise<number> {
  const plain = Object.entries({ ...screens, ...more }).map(
    ([name, route]): Opened => ({
      name,
      route,
      open: async () => undefined,
    }),
  );
  const all = [...plain, ...dialogs(staged.siteId)];
  const chosen = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  let count = 0;
  for (const [size, window] of Object.entries(windows)) {
    if (size !== (values.window ?? size)) continue;
    const context = await browser.newContext({ ...window, reducedMotion: 'reduce' });
    const here = chosen.filter(({ narrow }) => !narrow || window.viewport.width <= 860);
    for (const what of here) {
      const page = await context.newPage();
      const { token } = what.as === 'two-factor' ? staged.withTotp : staged.api;
      await page.addInitScript(`localStorage.setItem('token', ${JSON.stringify(token)})`);
      page.setDefaultTimeout(patienceMs);
      const found = await visit(page, staged, what, size).catch((error: Error) => [
        `not reached: ${error.message.slice(0, 300)}`,
      ]);
      await page.close();
      count += found.length;
      for (const line of found) console.log(`${what.name}, ${size}: ${line}`);
    }
    await context.close();
    console.log(`${size}: ${here.length} looked at`);
  }
  return count;
}

/** Tabs and views that have an address of their own. */
const more = {
  'settings-security': '/settings?tab=security',
  'settings-notifications': '/settings?tab=notifications',
  'settings-appearance': '/settings?tab=appearance',
  tokens: '/profile/tokens',
};

if (pictures) mkdirSync(pictures, { recursive: true });
const staged = await startStaged();
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const count = await sweep(browser, staged);
  console.log(count === 0 ? 'Nothing found.' : `${count} found.`);
  process.exitCode = count === 0 ? 0 : 1;
} finally {
  await browser.close();
  await staged.product.stop();
}
