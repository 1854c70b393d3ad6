import { z } from 'zod';

/** Every code that the API answers with, its status, and the sentence that a person reads. One place for each. */
export const errorCatalogue = {
  validation_failed: { status: 422, message: 'Some fields need attention' },
  malformed_body: { status: 400, message: 'The request body is not valid JSON' },
  body_too_large: { status: 413, message: 'The request body is too large' },
  unsupported_media_type: { status: 415, message: 'Send the request body as application/json' },
  not_signed_in: { status: 401, message: 'Sign in to continue' },
  session_expired: { status: 401, message: 'Your session has ended. Sign in again' },
  invalid_credentials: { status: 401, message: 'Invalid email or password' },
  invalid_totp_code: { status: 401, message: 'Invalid 2FA code' },
  wrong_password: { status: 400, message: 'The current password is not correct' },
  wrong_code: { status: 400, message: 'The code is not correct or was already used' },
  totp_not_started: { status: 400, message: 'Start the 2FA setup first' },
  totp_already_enabled: { status: 409, message: '2FA is already enabled' },
  totp_not_enabled: { status: 409, message: '2FA is not enabled' },
  password_too_weak: { status: 422, message: 'Password does not meet all requirements' },
  account_locked: { status: 429, message: 'Too many failed attempts. Try again later' },
  too_many_requests: { status: 429, message: 'Too many requests. Try again later' },
  totp_setup_required: { status: 403, message: 'Set up 2FA to continue' },
  setup_already_done: { status: 409, message: 'This installation is already set up' },
  setup_link_invalid: {
    status: 400,
    message: 'This setup link is not valid any more. Restart Portcullis to get a new one',
  },
  forbidden: { status: 403, message: "You don't have permission to do this" },
  not_found: { status: 404, message: 'Not found' },
  method_not_allowed: { status: 405, message: 'This address takes other methods, see the header Allow' },
  unknown_host: {
    status: 421,
    message: 'The console does not answer to this host name. Set PORTCULLIS_PUBLIC_URL to its address',
  },
  domain_taken: { status: 409, message: 'Another site already has this domain' },
  email_taken: { status: 409, message: 'Another user already has this email' },
  version_conflict: {
    status: 409,
    message: 'Someone else changed this in the meantime. Reload and try again',
  },
  last_admin: { status: 409, message: 'The last administrator cannot be deleted, demoted or disabled' },
  cannot_delete_self: { status: 409, message: 'You cannot delete your own account' },
  conflict: { status: 409, message: 'This conflicts with the present state' },
  unsafe_pattern: { status: 422, message: 'This pattern cannot be used' },
  storage_unavailable: { status: 503, message: 'Storage is not available right now. Nothing was changed' },
  trial_failed: { status: 503, message: 'The request could not be tried right now' },
  delivery_failed: { status: 502, message: 'The message could not be delivered' },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side. The log of the service says what',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/** One thing that is wrong with the input: where (dotted path, empty for the whole) and what. */
export const Issue = z.object({
  path: z.string(),
  message: z.string(),
  /** of a file that was sent, from 1 */
  line: z.number().int().optional(),
});
export type Issue = z.infer<typeof Issue>;

/** The same sentence stands in `error` and `message`, so that either reading of the contract works. */
export const ErrorBody = z.object({
  error: z.string(),
  message: z.string(),
  code: z.enum(errorCodes),
  issues: z.array(Issue).optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
