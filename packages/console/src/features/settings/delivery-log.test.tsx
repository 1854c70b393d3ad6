// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { NotificationOutcome } from '@portcullis/contract/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it } from 'vitest';
import { createQueryClient } from '../../lib/api/index.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { outcomesQuery } from './settings-queries.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

declare global {
  interface Window {
    /** the browser of the tests, whose width can be set */
    happyDOM: { setViewport: (size: { width: number }) => void };
  }
}

const outcomes = ['fifth', 'fourth', 'third', 'second', 'first'].map(
  (subject): NotificationOutcome => ({
    ...{ id: subject, timestamp: new Date().toISOString(), event: 'attacks', channel: 'slack', subject },
    ...{ status: 'sent', attempts: 1 },
  }),
);
const messages = () =>
  [...document.querySelectorAll('tbody [data-primary]')].map(({ textContent }) => textContent);
const button = () => document.querySelector('button');

/** The log in a window so wide, with its messages there already. */
async function draw(width: number): Promise<void> {
  window.happyDOM.setViewport({ width });
  const client = createQueryClient(() => {});
  client.setQueryDefaults(outcomesQuery.queryKey, { staleTime: Number.POSITIVE_INFINITY });
  client.setQueryData(outcomesQuery.queryKey, outcomes);
  await act(async () =>
    createRoot(document.body.appendChild(document.createElement('div'))).render(
      <QueryClientProvider client={client}>
        <MantineProvider>
          <DeliveryLog />
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
}

beforeEach(() => document.body.replaceChildren());

it('shows the last three on a phone, and all when asked', async () => {
  await draw(390);
  expect(messages()).toEqual(['fifth', 'fourth', 'third']);
  expect(button()?.textContent).toBe('Show all 5');
  await act(async () => button()?.click());
  expect(messages()).toHaveLength(5);
  expect(button()).toBeNull();
});

it('shows all where there is room for a table', async () => {
  await draw(1440);
  expect(messages()).toHaveLength(5);
  expect(button()).toBeNull();
});
