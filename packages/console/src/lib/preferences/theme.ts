import type { Preferences } from '@portcullis/contract/users';
import { useSyncExternalStore } from 'react';

/** What the user chose; `auto` follows the system. */
export type ThemeChoice = 'dark' | 'light' | 'auto';
/** What is drawn. */
export type Scheme = 'dark' | 'light';

/** @returns the choice by its one name here; servers also say `system` for `auto` */
export function themeChoice(stored: Preferences['theme'] | 'system'): ThemeChoice {
  return stored === 'system' ? 'auto' : stored;
}

const key = 'theme';
const listeners = new Set<() => void>();
const systemDark = () => matchMedia('(prefers-color-scheme: dark)');

/** @returns the stored choice, dark by default */
export function readTheme(): ThemeChoice {
  const stored = localStorage.getItem(key);
  return stored === 'light' || stored === 'auto' ? stored : 'dark';
}

/** Stores the choice and redraws at once. */
export function storeTheme(choice: ThemeChoice): void {
  if (choice === readTheme()) return;
  localStorage.setItem(key, choice);
  notify();
}

const seenKey = 'themeSeen';

/**
 * Takes over the theme that the service keeps for the user, when it is news: the first on this machine, or
 * changed on another one since. A choice made here meanwhile stays.
 */
export function adoptTheme(stored: ThemeChoice): void {
  const seen = localStorage.getItem(seenKey);
  localStorage.setItem(seenKey, stored);
  const first = seen === null && localStorage.getItem(key) === null;
  if (first || (seen !== null && seen !== stored)) storeTheme(stored);
}

/** @returns the colour scheme to draw now */
export function readScheme(): Scheme {
  const choice = readTheme();
  if (choice !== 'auto') return choice;
  return systemDark().matches ? 'dark' : 'light';
}

/** @returns the colour scheme, kept up with the choice and the system */
export function useScheme(): Scheme {
  return useSyncExternalStore(subscribe, readScheme);
}

/** @returns the stored choice, kept up */
export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, readTheme);
}

function subscribe(listener: () => void): () => void {
  const system = systemDark();
  system.addEventListener('change', listener);
  addEventListener('storage', listener);
  listeners.add(listener);
  return () => {
    system.removeEventListener('change', listener);
    removeEventListener('storage', listener);
    listeners.delete(listener);
  };
}

function notify(): void {
  for (const listener of listeners) listener();
}
