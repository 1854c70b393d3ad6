const key = 'token';
const listeners = new Set<() => void>();

/** @returns the stored session token, or null when signed out */
export function readToken(): string | null {
  return localStorage.getItem(key);
}

/** Stores the token of a new session. */
export function storeToken(token: string): void {
  localStorage.setItem(key, token);
  notify();
}

/**
 * Forgets the token.
 * @param only when given, only if it is still the stored one: a late 401 of an old session must not end a new one
 */
export function dropToken(only?: string | null): void {
  const stored = readToken();
  if (stored === null || (only !== undefined && only !== stored)) return;
  localStorage.removeItem(key);
  notify();
}

/** Tells of every change, also in other tabs. @returns how to stop listening */
export function onTokenChange(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', onOtherTab);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', onOtherTab);
  };
}

function notify(): void {
  for (const listener of listeners) listener();
}

function onOtherTab(event: StorageEvent): void {
  if (event.key === key || event.key === null) notify();
}
