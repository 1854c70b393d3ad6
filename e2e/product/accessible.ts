import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Scheme and contrast, as the root element carries them. The first is judged by all of axe's rules. */
const appearances = [
  { scheme: 'dark', contrast: 'normal' },
  { scheme: 'light', contrast: 'normal' },
  { scheme: 'dark', contrast: 'high' },
  { scheme: 'light', contrast: 'high' },
] as const;

/**
 * No violation of axe's rules on what is shown now. Names, roles and order are the same in every appearance, so all
 * rules run once and the contrast of colours alone in the others, where a dialog is open on the dialog.
 */
export async function expectAccessible(page: Page): Promise<void> {
  // Away from what shows a tooltip under the pointer.
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  const root = page.locator('html');
  const [before, contrastBefore] = await Promise.all([
    root.getAttribute('data-mantine-color-scheme'),
    root.getAttribute('data-contrast'),
  ]);
  const inDialog = (await page.getByRole('dialog').count()) > 0;
  const found: string[] = [];
  for (const [index, { scheme, contrast }] of appearances.entries()) {
    await page.evaluate(dress({ scheme, contrast }));
    await page.evaluate(faded);
    // Without it each run opens a page of its own to put frames together, of which there are none.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    if (index > 0) axe.withRules(['color-contrast']);
    if (index > 0 && inDialog) axe.include('[role="dialog"]');
    const { violations } = await axe.analyze();
    for (const { id, nodes } of violations) {
      found.push(`${scheme}, ${contrast} contrast: ${id} at ${nodes[0]?.html.slice(0, 200)}`);
    }
  }
  await page.evaluate(dress({ scheme: before ?? 'dark', contrast: contrastBefore ?? 'normal' }));
  expect(found).toEqual([]);
}

/** Waits in the page. Colours that are on their way to others have a contrast that nobody reads. */
export const faded = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    .map(({ finished }) => finished),
).then(() => undefined)`;

/** How the root element says that the page looks. */
interface Look {
  readonly scheme: string;
  readonly contrast: string;
  readonly density?: string;
}

/** A script that gives the page a look, whatever the preferences say. */
export function dress({ scheme, contrast, density }: Look): string {
  return `{
    const { dataset } = document.documentElement;
    dataset.mantineColorScheme = '${scheme}';
    if ('${contrast}' === 'high') dataset.contrast = 'high';
    else delete dataset.contrast;
    if (${density !== undefined}) dataset.density = '${density}';
  }`;
}

/** Nothing stands wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}
