import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { logsSearch } from '../features/logs/search.ts';
import { messages } from '../lib/messages/index.ts';
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
  component: lazyRouteComponent(
    () => import('../features/dashboard/dashboard-screen.tsx'),
    'DashboardScreen',
  ),
});

const sites = createRoute({
  getParentRoute: () => signedIn,
  path: '/sites',
  staticData: { title: titles.sites, anyOf: ['site:view'] },
  validateSearch: (search: Record<string, unknown>): { site?: string } => {
    const site = text(search['site']);
    return site ? { site } : {};
  },
  component: lazyRouteComponent(() => import('../features/sites/sites-screen.tsx'), 'SitesScreen'),
});

const logs = createRoute({
  getParentRoute: () => signedIn,
  path: '/logs',
  staticData: { title: titles.logs, anyOf: ['audit:view'] },
  validateSearch: logsSearch,
  component: lazyRouteComponent(() => import('../features/logs/logs-screen.tsx'), 'LogsScreen'),
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
  signedIn.addChildren([dashboard, sites, logs, notFound]),
]);
