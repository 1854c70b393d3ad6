// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it } from 'vitest';
import { NetworkRate } from './network-rate.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** What is read out of it, piece by piece: an arrow says nothing to who does not see it. */
async function read(incoming: number | undefined, outgoing: number | undefined): Promise<string[]> {
  const holder = document.createElement('div');
  const root = createRoot(holder);
  await act(async () => root.render(<NetworkRate incoming={incoming} outgoing={outgoing} />));
  const pieces: string[] = [];
  const walk = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) pieces.push(walk.currentNode.textContent ?? '');
  expect(holder.querySelectorAll('svg:not([aria-hidden="true"])')).toHaveLength(0);
  await act(async () => root.unmount());
  return pieces;
}

it('says which figure comes in and which goes out', async () => {
  expect(await read(1024, 2560)).toEqual(['in', '1.0', 'out', '2.5', 'KB/s']);
});

it('has a dash before there are two samples', async () => {
  expect(await read(undefined, undefined)).toEqual(['in', '–', 'out', '–', 'KB/s']);
});
