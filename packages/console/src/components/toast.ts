import { useSyncExternalStore } from 'react';

const successMs = 3_000;
const signInMs = 2_000;
const errorMs = 4_000;
const limit = 20;

/** One message at the top right. */
export interface Toast {
  id: number;
  kind: 'success' | 'error';
  message: string;
}

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

/** The one way to say that something happened: top right, at most twenty, read out by screen readers. */
export const toast = {
  success: (message: string) => show(message, 'success', successMs),
  /** on the sign-in side a success stays two seconds */
  signIn: (message: string) => show(message, 'success', signInMs),
  error: (message: string) => show(message, 'error', errorMs),
};

function show(message: string, kind: Toast['kind'], durationMs: number): void {
  const id = nextId++;
  set([...toasts, { id, kind, message }].slice(-limit));
  setTimeout(() => dismissToast(id), durationMs);
}

/** Takes a message away before its time. */
export function dismissToast(id: number): void {
  set(toasts.filter((entry) => entry.id !== id));
}

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** @returns what is shown now, oldest first */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
}
