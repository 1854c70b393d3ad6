import { expect, it } from 'vitest';
import { themeChoice } from './theme.ts';

it('knows the theme that follows the system by either word', () => {
  expect((['dark', 'light', 'auto', 'system'] as const).map(themeChoice)).toEqual([
    'dark',
    'light',
    'auto',
    'auto',
  ]);
});
