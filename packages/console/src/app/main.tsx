import './styles.ts';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { createQueryClient } from '../lib/api/index.ts';
import { currentUserQuery, onTokenChange, readToken } from '../lib/session/index.ts';
import { Providers } from './providers.tsx';
import { createConsoleRouter } from './router.tsx';

// zod would compile its parsers with `new Function`, which the Content-Security-Policy refuses.
z.config({ jitless: true });

const queryClient = createQueryClient();
const router = createConsoleRouter(queryClient);

onTokenChange(() => {
  // Nothing of one account may be shown to the next.
  if (readToken() === null) queryClient.clear();
  void router.invalidate();
});
if (readToken() !== null) void queryClient.prefetchQuery(currentUserQuery);

const root = document.getElementById('root');
if (!root) throw new Error('index.html lacks #root');
createRoot(root).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
