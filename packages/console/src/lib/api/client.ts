import type { Endpoint } from '@portcullis/contract/api';
import type { z } from 'zod';
import { dropToken, readToken } from '../session/token.ts';
import { type Answer, earlyAnswer } from './early.ts';
import { ApiError } from './errors.ts';
import { readTolerant } from './tolerant.ts';

/** Where every call of the contract lives. */
const apiBase = '/api';

type Loose<T> = { [key in keyof T]: T[key] | undefined };
type Part<E, Key extends string, Name extends string, Wrap extends boolean = false> =
  E extends Record<Key, infer S extends z.ZodType>
    ? { [name in Name]: Wrap extends true ? Loose<z.input<S>> : z.input<S> }
    : unknown;

/** What a call takes: `params` for the path, `query`, `headers`, `body`, `text`, each only where the contract has it. */
export type Input<E extends Endpoint> = Part<E, 'params', 'params'> &
  (E extends { query: infer Q extends z.ZodType }
    ? Record<string, never> extends z.input<Q>
      ? { query?: Partial<Loose<z.input<Q>>> }
      : { query: Loose<z.input<Q>> }
    : unknown) &
  Part<E, 'headers', 'headers'> &
  Part<E, 'body', 'body'> &
  (E extends { accepts: string } ? { text: string } : unknown);

/** What a call answers; undefined where the contract has no response. */
export type Output<E extends Endpoint> = E extends { response: infer R extends z.ZodType }
  ? z.output<R>
  : undefined;

interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
}

/** Calls that answer 401 for wrong credentials, not for a lost session. */
const signInPaths: ReadonlySet<string> = new Set(['/auth/login', '/setup']);

/**
 * Calls one endpoint of the contract, with the bearer token when one is stored.
 * @throws {ApiError} for every answer that is not 2xx, and with status 0 when none came. A 401 outside the
 * sign-in drops the stored token, and with it the session.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  signal?: AbortSignal,
): Promise<Output<E>> {
  const text = await send(endpoint, input as AnyInput, signal);
  return (endpoint.response ? readTolerant(endpoint.response, parsed(text)) : undefined) as Output<E>;
}

/**
 * Calls one that produces a file instead of JSON. @returns its text, exactly
 * @throws {ApiError} as {@link call}
 */
export function callText<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<string> {
  return send(endpoint, input as AnyInput);
}

async function send(endpoint: Endpoint, input: AnyInput, signal?: AbortSignal): Promise<string> {
  const token = readToken();
  const { url, init } = request(endpoint, input, token);
  const early = endpoint.method === 'GET' ? await earlyAnswer(url, token) : undefined;
  const { response, text } = early ?? (await ask(url, init, signal));
  if (response.ok) return text;
  if (response.status === 401 && !signInPaths.has(endpoint.path)) dropToken(token);
  const retryAfter = Number(response.headers.get('retry-after'));
  throw new ApiError(response.status, parsed(text), retryAfter > 0 ? retryAfter : undefined);
}

async function ask(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Answer> {
  const response = await fetch(url, signal ? { ...init, signal } : init).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, undefined);
  });
  return { response, text: await response.text() };
}

function request(
  endpoint: Endpoint,
  input: AnyInput,
  token: string | null,
): { url: string; init: RequestInit } {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input.params?.[name] ?? ''),
  );
  const accept = ['application/json', ...(endpoint.produces ?? [])].join(', ');
  const headers: Record<string, string> = { ...input.headers, accept };
  if (token !== null) headers['authorization'] = `Bearer ${token}`;
  const init: RequestInit = { method: endpoint.method, headers, credentials: 'same-origin' };
  if (input.body !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(input.body);
  } else if (input.text !== undefined && endpoint.accepts !== undefined) {
    headers['content-type'] = endpoint.accepts;
    init.body = input.text;
  }
  return { url: `${apiBase}${path}${queryString(input.query)}`, init };
}

function queryString(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') search.set(key, String(value));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
