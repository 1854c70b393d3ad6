// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { AuditEntry } from '@portcullis/contract/events';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addBatch, emptyView } from './log-buffer.ts';
import { LogList } from './log-list.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root;
let view = emptyView;

/** One more event, as the stream brings it. */
async function arrive(id: string): Promise<void> {
  const timestamp = new Date(0).toISOString();
  const entry = AuditEntry.parse({ id, timestamp, level: 'warning', action: 'blocked', message: id });
  view = addBatch(view, [entry]);
  await act(async () =>
    root.render(
      <MantineProvider>
        <LogList entries={view.entries} view={view} paused={false} onOpen={() => undefined} />
      </MantineProvider>,
    ),
  );
}
const moveMouse = () =>
  act(async () => {
    const move = new PointerEvent('pointermove', { pointerType: 'mouse', bubbles: true });
    document.querySelector('[data-testid="log-scroller"]')?.dispatchEvent(move);
  });
const pass = (seconds: number) => act(async () => vi.advanceTimersByTime(seconds * 1000));
const shows = () => document.body.textContent ?? '';

beforeEach(async () => {
  vi.useFakeTimers();
  view = emptyView;
  document.body.replaceChildren();
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await arrive('first');
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.useRealTimers();
});

it('goes on by itself once the mouse on it has not moved for 20 s, as before a screen on the wall', async () => {
  await moveMouse();
  await arrive('second');
  expect(shows()).toContain('Show 1 new event');
  expect(shows()).toContain('has not moved for 20 s');
  await pass(19);
  await moveMouse();
  await pass(19);
  expect(shows()).toContain('Show 1 new event');
  await pass(1);
  expect(shows()).not.toContain('new event');
  await arrive('third');
  expect(shows()).not.toContain('new event');
});

it('stands still again for a mouse that moves again', async () => {
  await moveMouse();
  await pass(20);
  await moveMouse();
  await arrive('second');
  expect(shows()).toContain('Show 1 new event');
});
