import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { configurationSearch } from '../features/configuration/search.ts';
import { logsSearch } from '../features/logs/search.ts';
import { settingsSearch } from '../features/settings/search.ts';
import { messages } from '../lib/messages/index.ts';
import { hourlyTrafficQuery, metricsQuery, sitesQuery } from '../lib/queries/index.ts';
import { readToken } from '../lib/session/index.ts';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell/shell.tsx';

const { titles } = messages.shell;

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Which site a screen is about. */
function siteSearch(search: Record<string, unknown>): { site?: string } {
  const site = text(search['site']);
  return site ? { site } : {};
}

/** Which site's form is open, and at which of its sections. */
function siteFormSearch(search: Record<string, unknown>): { site?: string; section?: string } {
  const section = text(search['section']);
  return { ...siteSearch(search), ...(section && { section }) };
}

/** Which site is protected, which of its rules is open, and what is looked for among the built-in ones. */
function protectionSearch(search: Record<string, unknown>): {
  site?: string;
  rule?: string;
  builtIn?: string;
} {
  const rule = text(search['rule']);
  const { builtIn } = search;
  return { ...siteSearch(search), ...(rule && { rule }), ...(typeof builtIn === 'string' && { builtIn }) };
}

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { from?: string } => {
    const from = text(search['from']);
    return from ? { from } : {};
  },
  beforeLoad: () => {
    if (readToken() !== null) throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => import('../features/sign-in/sign-in-screen.tsx'), 'SignInScreen'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(() => import('../features/setup/setup-screen.tsx'), 'SetupScreen'),
});

/** Everything behind the sign-in, in the shell. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    if (readToken() !== null) return;
    throw redirect({ to: '/login', search: location.pathname === '/' ? {} : { from: location.href } });
  },
  component: Shell,
});

const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  staticData: { title: titles.dashboard, anyOf: ['metrics:view'] },
  // Asked for together with the user and not after: a permission that is lacking is the service's to say.
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(metricsQuery);
    void context.queryClient.prefetchQuery(hourlyTrafficQuery);
    void context.queryClient.prefetchQuery(sitesQuery);
  },
  component: lazyRouteComponent(
    () => import('../features/dashboard/dashboard-screen.tsx'),
    'DashboardScreen',
  ),
});

const sites = createRoute({
  getParentRoute: () => signedIn,
  path: '/sites',
  staticData: { title: titles.sites, anyOf: ['site:view'] },
  validateSearch: siteFormSearch,
  component: lazyRouteComponent(() => import('../features/sites/sites-screen.tsx'), 'SitesScreen'),
});

const certificates = createRoute({
  getParentRoute: () => signedIn,
  path: '/certificates',
  staticData: { title: titles.certificates, anyOf: ['site:view'] },
  validateSearch: siteSearch,
  component: lazyRouteComponent(
    () => import('../features/certificates/certificates-screen.tsx'),
    'CertificatesScreen',
  ),
});

const configuration = createRoute({
  getParentRoute: () => signedIn,
  path: '/configuration',
  staticData: { title: titles.configuration, anyOf: ['settings:view'] },
  validateSearch: configurationSearch,
  component: lazyRouteComponent(
    () => import('../features/configuration/configuration-screen.tsx'),
    'ConfigurationScreen',
  ),
});

const protection = createRoute({
  getParentRoute: () => signedIn,
  path: '/protection',
  staticData: { title: titles.protection, anyOf: ['rule:view'] },
  validateSearch: protectionSearch,
  component: lazyRouteComponent(
    () => import('../features/protection/protection-screen.tsx'),
    'ProtectionScreen',
  ),
});

const tester = createRoute({
  getParentRoute: () => signedIn,
  path: '/protection/test',
  staticData: { title: titles.protection, anyOf: ['rule:view'] },
  validateSearch: siteSearch,
  component: lazyRouteComponent(() => import('../features/tester/tester-screen.tsx'), 'TesterScreen'),
});

const access = createRoute({
  getParentRoute: () => signedIn,
  path: '/address-lists',
  staticData: { title: titles.access, anyOf: ['rule:view'] },
  validateSearch: (search: Record<string, unknown>): { list?: string } => {
    const list = text(search['list']);
    return list ? { list } : {};
  },
  component: lazyRouteComponent(() => import('../features/access/access-screen.tsx'), 'AccessScreen'),
});

const logs = createRoute({
  getParentRoute: () => signedIn,
  path: '/logs',
  staticData: { title: titles.logs, anyOf: ['audit:view'] },
  validateSearch: logsSearch,
  component: lazyRouteComponent(() => import('../features/logs/logs-screen.tsx'), 'LogsScreen'),
});

const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/users',
  staticData: { title: titles.users, anyOf: ['user:view'] },
  component: lazyRouteComponent(() => import('../features/users/users-screen.tsx'), 'UsersScreen'),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  staticData: { title: titles.settings, anyOf: ['settings:view'] },
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import('../features/settings/settings-screen.tsx'), 'SettingsScreen'),
});

const ofProfile = { getParentRoute: () => signedIn, staticData: { title: titles.profile } };

const account = [
  createRoute({
    ...ofProfile,
    path: '/profile',
    component: lazyRouteComponent(() => import('../features/profile/profile-screen.tsx'), 'ProfileScreen'),
  }),
  createRoute({
    ...ofProfile,
    path: '/profile/edit',
    component: lazyRouteComponent(
      () => import('../features/profile/edit-profile-screen.tsx'),
      'EditProfileScreen',
    ),
  }),
  createRoute({
    ...ofProfile,
    path: '/profile/password',
    component: lazyRouteComponent(() => import('../features/profile/password-screen.tsx'), 'PasswordScreen'),
  }),
  createRoute({
    ...ofProfile,
    path: '/profile/2fa',
    component: lazyRouteComponent(
      () => import('../features/profile/two-factor/two-factor-screen.tsx'),
      'TwoFactorScreen',
    ),
  }),
  createRoute({
    ...ofProfile,
    path: '/profile/sessions',
    component: lazyRouteComponent(() => import('../features/profile/sessions-screen.tsx'), 'SessionsScreen'),
  }),
  createRoute({
    ...ofProfile,
    path: '/profile/tokens',
    component: lazyRouteComponent(
      () => import('../features/profile/tokens/tokens-screen.tsx'),
      'TokensScreen',
    ),
  }),
  createRoute({
    ...ofProfile,
    path: '/profile/preferences',
    component: lazyRouteComponent(
      () => import('../features/profile/preferences-screen.tsx'),
      'PreferencesScreen',
    ),
  }),
] as const;

const monitoring = createRoute({
  getParentRoute: () => signedIn,
  path: '/monitoring',
  staticData: { title: titles.monitoring, anyOf: ['metrics:view'] },
  component: lazyRouteComponent(
    () => import('../features/monitoring/monitoring-screen.tsx'),
    'MonitoringScreen',
  ),
});

const notFound = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: NotFound,
});

/** Every route of the console. A screen registers here and nowhere else. */
export const routeTree = root.addChildren([
  login,
  setup,
  signedIn.addChildren([
    dashboard,
    sites,
    certificates,
    protection,
    tester,
    access,
    logs,
    monitoring,
    users,
    settings,
    configuration,
    ...account,
    notFound,
  ]),
]);
