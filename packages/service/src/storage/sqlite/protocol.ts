/** A value that SQLite stores. Booleans are written as 0 and 1, times as Unix milliseconds. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** What the driver asks of its worker thread. */
export interface Statement {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

export type Reply =
  | { readonly id: number; readonly rows: unknown[]; readonly changes: number }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: number } };

export interface WorkerOptions {
  readonly file: string;
  readonly readOnly: boolean;
}
