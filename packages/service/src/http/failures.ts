import { type ErrorBody, errorCatalogue, type Issue } from '@portcullis/contract/api';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Log } from '../log.ts';
import { type Failure, failure, malformed } from '../outcome.ts';
import { storageErrorKind, UnsettledError } from '../storage/index.ts';

/** The one place that turns a refusal into status and body. */
export function sendFailure(reply: FastifyReply, refused: Failure): FastifyReply {
  const { status, message } = errorCatalogue[refused.code];
  const sentence = refused.message ?? onlyIssue(refused.issues) ?? message;
  const body: ErrorBody = {
    error: sentence,
    message: sentence,
    code: refused.code,
    ...(refused.issues && { issues: [...refused.issues] }),
  };
  if (refused.retryAfterSeconds !== undefined) {
    reply.header('Retry-After', String(Math.max(1, Math.ceil(refused.retryAfterSeconds))));
  }
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

/** Issues whose words say something only together with their place: `This field is required`. */
const placeless = new WeakSet<Issue>();

/** The one thing that is wrong, for whoever shows the sentence alone; several stand in `issues` and make no sentence. */
function onlyIssue(issues: readonly Issue[] = []): string | undefined {
  const [issue, second] = issues;
  if (issue === undefined || second !== undefined) return undefined;
  return placeless.has(issue) && issue.path !== '' ? `${issue.path}: ${issue.message}` : issue.message;
}

/** All that a schema found wrong, with dotted paths. @param prefix `query`, `params`, or empty for the body */
export function issuesOf(error: z.ZodError, prefix = ''): Issue[] {
  const found = error.issues.map((issue) => {
    const path = [prefix, ...issue.path.map(String)].filter((part) => part !== '').join('.');
    const one = { path, message: wordsOf(issue) };
    if (!hasOwnWords(issue)) placeless.add(one);
    return one;
  });
  // An empty list is no text and too short a text, of which people are told in the same words.
  return [...new Map(found.map((one) => [`${one.path}\n${one.message}`, one])).values()];
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/** Whether the contract says what is wrong in a sentence, and not the library of its schemas. */
const hasOwnWords = ({ message }: z.core.$ZodIssue) => !/^(Too |Invalid |Unrecognized )/.test(message);

/** A schema without words of its own says bounds like a machine; whoever mends a file or a call reads them like this. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (!/^(Too |Invalid (input|option): expected)/.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_value') return `One of these belongs here: ${issue.values.join(', ')}`;
  if (issue.message.endsWith('received undefined')) return 'This field is required';
  if (issue.code === 'invalid_type') return `A value of the type ${issue.expected} belongs here`;
  if (issue.code === 'too_small') return `At least ${issue.minimum}${units[issue.origin] ?? ''}`;
  if (issue.code === 'too_big') return `At most ${issue.maximum}${units[issue.origin] ?? ''}`;
  return issue.message;
}

const codesOfFastify: Readonly<Record<string, Failure>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: failure('body_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: failure('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformed('The request body is not as long as its Content-Length says'),
  FST_ERR_BAD_URL: failure('not_found'),
  FST_ERR_MAX_PARAM_LENGTH: failure('not_found'),
};

/** @param accepts the media type that a call takes instead of JSON */
export const wantsText = (accepts: string) =>
  failure('unsupported_media_type', { message: `Send the request body as ${accepts}` });

const unsettled =
  'The connection to the database broke while this was stored, so it may have been changed or not. Look before you send it again';

/** What was thrown, as the client may know it. A bug tells the log everything and the client nothing. */
export function failureOfThrown(error: FastifyError, request: FastifyRequest, log: Log): Failure {
  const accepts = request.routeOptions.config.endpoint?.accepts;
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' && accepts !== undefined) return wantsText(accepts);
  const known = codesOfFastify[error.code];
  if (known) return known;
  const place = { method: request.method, route: request.routeOptions.url };
  const kind = storageErrorKind(error);
  // What a call builds on was deleted, or made by another one, in the moment between its look and its write.
  if (kind === 'unique' || kind === 'foreign_key') {
    log.warn('A call met what another one changed meanwhile', { ...place, kind, reason: error.message });
    return failure('conflict');
  }
  if (kind !== undefined) {
    log.error('Storage refused a call', { ...place, kind, reason: error.message });
    return error instanceof UnsettledError
      ? failure('storage_unavailable', { message: unsettled })
      : failure('storage_unavailable');
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return error.statusCode === 404
      ? failure('not_found', { message: error.message })
      : malformed(error.message);
  }
  log.error('A call failed', { ...place, reason: error.message, stack: error.stack });
  return failure('internal_error');
}
