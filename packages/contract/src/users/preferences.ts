import { z } from 'zod';
import { patchOf } from '../patch/index.ts';

const on = z.boolean().default(true);
const off = z.boolean().default(false);

/** `auto` follows the system. */
export const themes = ['dark', 'light', 'auto'] as const;
export const dateFormats = ['MM/DD/YYYY', 'DD/MM/YYYY', 'YYYY-MM-DD'] as const;
export const timeFormats = ['12h', '24h'] as const;

/** Time zones offered for a user's own display. */
export const displayTimezones = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Paris',
  'Asia/Tokyo',
] as const;

/** How one user likes the console. Every field has its default, so an empty object is complete. */
export const Preferences = z.object({
  theme: z.enum(themes).default('dark'),
  language: z.literal('en').default('en'),
  timezone: z.enum(displayTimezones).default('UTC'),
  dateFormat: z.enum(dateFormats).default('MM/DD/YYYY'),
  timeFormat: z.enum(timeFormats).default('12h'),
  notifications: z
    .object({
      email: on,
      browser: off,
      slack: off,
      security_alerts: on,
      system_updates: on,
      weekly_reports: off,
    })
    .prefault({}),
  display: z
    .object({
      compact_mode: off,
      show_tooltips: on,
      animations: on,
      high_contrast: off,
      sidebar_collapsed: off,
    })
    .prefault({}),
  sound: z
    .object({ enabled: off, volume: z.number().int().min(0).max(100).default(50), alerts: off })
    .prefault({}),
});
export type Preferences = z.infer<typeof Preferences>;

/** The settings of appearance say `auto`, preferences say `system` too: either word is taken, and one is kept. */
const ThemeChoice = z
  .enum([...themes, 'system'])
  .transform((theme) => (theme === 'system' ? ('auto' as const) : theme));

/** Preferences as they may be stored: earlier versions kept either word. */
export const StoredPreferences = Preferences.extend({ theme: ThemeChoice.default('dark') });

/** A change of preferences: fields that are left out keep their value. */
export const PreferencesUpdate = patchOf(Preferences.extend({ theme: ThemeChoice }));
export type PreferencesUpdate = z.infer<typeof PreferencesUpdate>;
