import { expect, type Locator } from '@playwright/test';

/** Turns a switch on or off by the keyboard: what is drawn lies over the input that holds its state. */
export async function turn(control: Locator, on: boolean): Promise<void> {
  await control.focus();
  if ((await control.isChecked()) !== on) await control.press('Space');
  await expect(control).toBeChecked({ checked: on });
}
