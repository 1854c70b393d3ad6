import type { Permission } from '@portcullis/contract/auth';
import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { RouteCrash } from './route-crash.tsx';
import { routeTree } from './routes.tsx';

/** @returns the router; screens load with their route, and links fetch them on hover */
export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadDelay: 60,
    defaultErrorComponent: RouteCrash,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
  interface HistoryState {
    /** what the request tester begins with: not in the address, where it would be long and look like an attack */
    tried?: { text: string; clientIp: string };
  }
  interface StaticDataRouteOption {
    /** what the header says */
    title?: string;
    /** who may see it; absent for everyone signed in */
    anyOf?: readonly Permission[];
  }
}
