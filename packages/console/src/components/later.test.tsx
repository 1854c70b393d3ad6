// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** what waits for the browser to be idle */
let waiting: Map<number, () => void>;
let root: Root;
let Later: typeof import('./later.tsx').Later;

const shown = () => document.body.textContent;
const draw = (after: boolean) => act(async () => root.render(<Later after={after}>below</Later>));
const idle = () =>
  act(async () => {
    for (const [handle, then] of waiting) if (waiting.delete(handle)) then();
  });

beforeEach(async () => {
  waiting = new Map();
  let handles = 0;
  vi.stubGlobal('requestIdleCallback', (then: () => void) => {
    waiting.set(++handles, then);
    return handles;
  });
  vi.stubGlobal('cancelIdleCallback', (handle: number) => waiting.delete(handle));
  // Each test is the first screen of a page.
  vi.resetModules();
  ({ Later } = await import('./later.tsx'));
  document.body.replaceChildren();
  root = createRoot(document.body.appendChild(document.createElement('div')));
});

it('draws nothing before what stands above is there and the browser is idle', async () => {
  await draw(false);
  await idle();
  expect(shown()).toBe('');
  await draw(true);
  expect(shown()).toBe('');
  await idle();
  expect(shown()).toBe('below');
});

it('keeps what it drew when what stands above goes again', async () => {
  await draw(true);
  await idle();
  await draw(false);
  expect(shown()).toBe('below');
});

it('draws the next screen at once', async () => {
  await draw(true);
  await idle();
  await act(async () => root.unmount());
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await draw(false);
  expect(shown()).toBe('below');
});

it('waits no more for a screen that was left', async () => {
  await draw(true);
  await act(async () => root.unmount());
  expect(waiting.size).toBe(0);
});
