// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const said = (role: string) =>
  [...document.querySelectorAll(`[role=${role}] span`)].map(({ textContent }) => textContent);
const after = (milliseconds: number) => act(async () => vi.advanceTimersByTime(milliseconds));

beforeEach(async () => {
  vi.useFakeTimers();
  document.body.replaceChildren();
  await act(async () =>
    createRoot(document.body.appendChild(document.createElement('div'))).render(<Toaster />),
  );
});
afterEach(async () => {
  await after(10_000);
  vi.useRealTimers();
});

it('keeps a success three seconds, two on the sign-in side, and an error four', async () => {
  await act(async () => {
    toast.success('Saved');
    toast.signIn('Login successful');
    toast.error('Failed');
  });
  await after(1_999);
  expect(said('status')).toEqual(['Saved', 'Login successful']);
  await after(1);
  expect(said('status')).toEqual(['Saved']);
  await after(1_000);
  expect(said('status')).toEqual([]);
  await after(999);
  expect(said('alert')).toEqual(['Failed']);
  await after(1);
  expect(said('alert')).toEqual([]);
});

it('shows at most twenty, the newest', async () => {
  await act(async () => {
    for (let number = 1; number <= 23; number++) toast.error(`No. ${number}`);
  });
  expect(said('alert')).toHaveLength(20);
  expect(said('alert')[0]).toBe('No. 4');
  expect(said('alert').at(-1)).toBe('No. 23');
});

it('has one line in sight, the newest, and reads all out', async () => {
  const inSight = () =>
    [...document.querySelectorAll('[data-kind]:not([data-behind])')].map(({ textContent }) => textContent);
  await act(async () => {
    toast.success('Saved');
    toast.error('Failed');
    toast.success('Copied');
  });
  expect(inSight()).toEqual(['Copied+2']);
  expect(said('status')).toEqual(['Saved', 'Copied']);
  await after(2_999);
  expect(inSight()).toEqual(['Copied+2']);
  await after(1);
  expect(inSight()).toEqual(['Failed']);
});

it('says attack strings as text', async () => {
  await act(async () => toast.error('<img src=x onerror="alert(1)">'));
  expect(said('alert')).toEqual(['<img src=x onerror="alert(1)">']);
  expect(document.querySelector('img')).toBeNull();
});

it('goes before its time when it is dismissed', async () => {
  await act(async () => toast.success('Saved'));
  await act(async () => document.querySelector<HTMLButtonElement>('[aria-label=Dismiss]')?.click());
  expect(said('status')).toEqual([]);
});
