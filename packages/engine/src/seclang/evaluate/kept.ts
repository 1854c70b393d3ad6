import { createCollection } from '../state/index.ts';
import type { Run } from './run.ts';

/** Milliseconds since 1970 at the start of the request; 0 without a clock, when nothing is kept. */
export function startOf({ context }: Run): number {
  return context.startedAtMs ?? context.now?.() ?? 0;
}

/** Opens a collection for the rest of the request. The first to open it decides its key, as in ModSecurity. */
export function openCollection(run: Run, name: string, key: string): void {
  if (run.collections.has(name)) return;
  const nowMs = startOf(run);
  const { kept } = run.context;
  if (!kept || nowMs === 0) {
    run.collections.set(name, createCollection());
    return;
  }
  const { collectionTimeout: timeoutSeconds } = run.program;
  run.collections.set(name, kept.open(name, key, { nowMs, timeoutSeconds }));
  run.opened.set(name, key);
}

/** Keeps what this request has changed of its collections. */
export function closeCollections(run: Run): void {
  for (const [name, key] of run.opened) {
    const collection = run.collections.get(name);
    if (collection?.changed) run.context.kept?.close(name, key, collection, startOf(run));
  }
}
