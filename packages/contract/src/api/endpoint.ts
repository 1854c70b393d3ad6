import type { z } from 'zod';
import type { Permission } from '../auth/index.ts';

/**
 * Who may call: anyone; anyone signed in; a person in a session, which an API token is not; who holds one of the
 * permissions; or who holds all of them. An empty list grants nobody.
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'session'
  | { readonly anyOf: readonly Permission[] }
  | { readonly allOf: readonly Permission[] };

/**
 * One call of the public API. The service validates with it, the console's client infers from it, and
 * /api/openapi.json is generated from it.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** below the API base, parameters in braces: `/sites/{id}` */
  readonly path: `/${string}`;
  readonly access: Access;
  /** one sentence for the API reference */
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** header lines of its own, in lower case: what belongs neither in an address nor in a text that is the body */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** media type of a body that is read as a stream of text, gzip or plain, instead of JSON */
  readonly accepts?: 'text/plain' | 'application/yaml';
  /** absent: 204 without a body */
  readonly response?: z.ZodType;
  /** media types of an answer that is streamed instead of sent as one JSON value */
  readonly produces?: readonly string[];
}

/** Keeps the literal types of a declaration, so that calls are typed from it. */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  return declaration;
}
