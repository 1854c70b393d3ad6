/**
 * A call that did not succeed: the answer of the server, or no answer at all (`status` 0).
 * `serverText` is the server's own sentence, read from `error` or `message`.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly serverText: string | undefined;
  /** what is wrong with which field (dotted path), for forms */
  readonly issues: readonly FieldIssue[];
  /** seconds after which a 429 or 503 may be tried again */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: unknown, retryAfterSeconds?: number) {
    const text = sentence(body);
    super(text ?? (status === 0 ? 'The service cannot be reached' : `The service answered ${status}`));
    this.name = 'ApiError';
    this.status = status;
    this.code = stringField(body, 'code');
    this.serverText = text;
    this.issues = issuesOf(body);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** One refused field, as the contract's `Issue`. */
export interface FieldIssue {
  path: string;
  message: string;
  /** of a file that was sent, from 1 */
  line?: number;
}

/** @returns the server's sentence, else the fallback that spec.md fixes for this action */
export function errorText(error: unknown, fallback: string): string {
  return error instanceof ApiError ? (error.serverText ?? fallback) : fallback;
}

/** @returns whether a call was refused because 2FA, required by now, is to be set up first */
export function wantsTwoFactor(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && error.code === 'totp_setup_required';
}

/** @returns whether the call may simply be repeated: no answer, or a fault of the server */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

function stringField(body: unknown, key: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value = (body as Record<string, unknown>)[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberField(body: unknown, key: string): number | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value = (body as Record<string, unknown>)[key];
  return typeof value === 'number' ? value : undefined;
}

function sentence(body: unknown): string | undefined {
  return stringField(body, 'error') ?? stringField(body, 'message');
}

function issuesOf(body: unknown): FieldIssue[] {
  if (typeof body !== 'object' || body === null || !('issues' in body) || !Array.isArray(body.issues))
    return [];
  return body.issues.flatMap((issue) => {
    const path = stringField(issue, 'path') ?? '';
    const message = stringField(issue, 'message');
    const line = numberField(issue, 'line');
    return message ? [{ path, message, ...(line === undefined ? {} : { line }) }] : [];
  });
}
