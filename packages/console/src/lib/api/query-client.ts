import { QueryClient } from '@tanstack/react-query';
import { isTransient } from './errors.ts';

/**
 * The cache behind every screen. A failed read is repeated once, and only where a repeat can help; the rest
 * of the timing (intervals, staleness) stands at each query. Background tabs do not poll.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (count, error) => count < 1 && isTransient(error),
        retryDelay: 500,
        refetchIntervalInBackground: false,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
