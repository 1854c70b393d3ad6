// Every word that the console says, one part a feature; `messages.<part>` reads them. A second language is a
// second file like this one. Parts are named exports, so that each travels with the screens that speak it.
export { access } from './parts/access.ts';
export { certificates } from './parts/certificates.ts';
export { common } from './parts/common.ts';
export { configuration } from './parts/configuration.ts';
export { dashboard } from './parts/dashboard.ts';
export { fleet } from './parts/fleet.ts';
export { logs } from './parts/logs.ts';
export { monitoring } from './parts/monitoring.ts';
export { palette } from './parts/palette.ts';
export { profile } from './parts/profile.ts';
export { protection } from './parts/protection.ts';
export { settings } from './parts/settings.ts';
export { shell } from './parts/shell.ts';
export { signIn } from './parts/sign-in.ts';
export { sites } from './parts/sites.ts';
export { tester } from './parts/tester.ts';
export { users } from './parts/users.ts';
