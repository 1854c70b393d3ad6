import type { ErrorCode, Issue } from '@portcullis/contract/api';

/** Why a call was refused: a stable code, and all that is wrong with the input. */
export interface Failure {
  readonly ok: false;
  readonly code: ErrorCode;
  /** replaces the sentence of the error catalogue where the case can say more */
  readonly message?: string;
  readonly issues?: readonly Issue[];
  /** sent as Retry-After on limits */
  readonly retryAfterSeconds?: number;
}

/** An expected outcome is a value; only bugs and broken storage throw. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | Failure;

export function success<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** A refusal by its code of the error catalogue. */
export function failure(code: ErrorCode, more: Omit<Failure, 'ok' | 'code'> = {}): Failure {
  return { ok: false, code, ...more };
}

/** A refusal of a body that cannot be read at all. @param message what is wrong with it */
export function malformed(message: string): Failure {
  return failure('malformed_body', { message, issues: [{ path: '', message }] });
}

/** A refusal of the input with the issues that were found, dotted paths first. */
export function invalid(issues: readonly Issue[]): Failure {
  return failure('validation_failed', { issues });
}
