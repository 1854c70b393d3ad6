import { newId } from '../identity.ts';
import type { Storage, Trx } from '../storage/index.ts';
import type { AdminAction, AdminRecord } from './admin-audit.ts';
import { appendRecord } from './repository.ts';

/** Keeps what administrators did, and tells who watches. */
export interface AuditLog {
  /** Stores within a transaction; `announce` the result once it is committed. */
  append(trx: Trx, action: AdminAction): Promise<AdminRecord>;
  announce(record: AdminRecord): void;
  /** Stores and announces. */
  write(action: AdminAction): Promise<void>;
  /** @returns ends the subscription */
  subscribe(listener: (record: AdminRecord) => void): () => void;
}

/** @param now the clock, Unix milliseconds */
export function createAuditLog(storage: Storage, now: () => number): AuditLog {
  const listeners = new Set<(record: AdminRecord) => void>();
  const append = async (trx: Trx, action: AdminAction) => {
    const record = { ...action, id: newId('act'), time: now() };
    await appendRecord(trx, record);
    return record;
  };
  const announce = (record: AdminRecord) => {
    for (const listener of listeners) listener(record);
  };
  return {
    append,
    announce,
    async write(action) {
      announce(await storage.transaction((trx) => append(trx, action)));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
