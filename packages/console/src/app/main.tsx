import './styles.ts';
import type { QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { createQueryClient } from '../lib/api/index.ts';
import { preferencesQuery } from '../lib/preferences/index.ts';
import { currentUserQuery, onTokenChange, readToken } from '../lib/session/index.ts';
import { Providers } from './providers.tsx';
import { createConsoleRouter } from './router.tsx';

// zod would compile its parsers with `new Function`, which the Content-Security-Policy refuses.
z.config({ jitless: true });

const queryClient: QueryClient = createQueryClient(() => {
  // The user tells that 2FA is required by now, and the shell leads to where it is set up.
  void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
});
const router = createConsoleRouter(queryClient);

onTokenChange(() => {
  // Nothing of one account may be shown to the next.
  if (readToken() === null) queryClient.clear();
  void router.invalidate();
});

/** Longer than this nobody waits for a page to show its frame. */
const patienceMs = 200;

/**
 * What the first screen needs, as far as it comes at once: drawn with it in one go, it stands sooner than drawn
 * empty first. The rest fills in.
 */
async function firstNeeds(): Promise<void> {
  if (readToken() !== null) {
    void queryClient.prefetchQuery(currentUserQuery);
    void queryClient.prefetchQuery(preferencesQuery);
  }
  await router.load();
  const asked = queryClient.getQueryCache().findAll({ fetchStatus: 'fetching' });
  await Promise.allSettled(asked.flatMap((query) => query.promise ?? []));
}

function draw(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html lacks #root');
  createRoot(root).render(
    <StrictMode>
      <Providers queryClient={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );
}

const patience = new Promise((resolve) => setTimeout(resolve, patienceMs));
void Promise.race([firstNeeds(), patience]).then(draw);
