import { common } from './parts/common.ts';
import { dashboard } from './parts/dashboard.ts';
import { logs } from './parts/logs.ts';
import { monitoring } from './parts/monitoring.ts';
import { palette } from './parts/palette.ts';
import { profile } from './parts/profile.ts';
import { protection } from './parts/protection.ts';
import { settings } from './parts/settings.ts';
import { shell } from './parts/shell.ts';
import { signIn } from './parts/sign-in.ts';
import { sites } from './parts/sites.ts';
import { users } from './parts/users.ts';

/**
 * Every word that the console says, one part a feature. A second language is a second object of this type;
 * sentences with figures in them are functions.
 */
export const messages = {
  common,
  shell,
  signIn,
  dashboard,
  sites,
  protection,
  logs,
  monitoring,
  palette,
  users,
  settings,
  profile,
} as const;
