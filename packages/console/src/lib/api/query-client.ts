import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient, wantsTwoFactor } from './errors.ts';

/**
 * The cache behind every screen. A failed read is repeated once, and only where a repeat can help; the rest
 * of the timing (intervals, staleness) stands at each query. Background tabs do not poll.
 * @param onTwoFactorWanted told of each call that was refused until 2FA is set up
 */
export function createQueryClient(onTwoFactorWanted: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (wantsTwoFactor(error)) onTwoFactorWanted();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
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
