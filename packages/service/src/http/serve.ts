import { Readable } from 'node:stream';
import type { Endpoint, Issue } from '@portcullis/contract/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Failure, failure, invalid, type Outcome } from '../outcome.ts';
import { type Actor, refusal } from './access.ts';
import { issuesOf, sendFailure, wantsText } from './failures.ts';
import { jsonAnswer } from './json-answer.ts';
import { chosen } from './query.ts';
import { readTextBody, type TextReader } from './text-body.ts';
import { inTurns } from './turns.ts';

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A call that passed authentication, access and validation. */
export interface Call<E extends Endpoint> {
  readonly params: Parsed<E['params']>;
  readonly query: Parsed<E['query']>;
  readonly headers: Parsed<E['headers']>;
  readonly body: Parsed<E['body']>;
  /** the JSON body as it was sent, for what only the absence of a field can tell */
  readonly sent: unknown;
  /** who calls; undefined on public endpoints */
  readonly actor: E['access'] extends 'public' ? Actor | undefined : Actor;
  /** address of the caller, behind proxies that are named */
  readonly ip: string;
  readonly userAgent: string;
}

/** What a handler answers: the body as the response schema takes it, or nothing for a 204. */
export type Answer<E extends Endpoint> = E['response'] extends z.ZodType ? z.input<E['response']> : undefined;

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Outcome<Answer<E>>>;

const pathOf = (endpoint: Endpoint) => endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Of params and queries: texts, and lists of them where a name was repeated. */
const holdsNul = (value: unknown) =>
  Object.values(value as object)
    .flat()
    .some((text) => String(text).includes('\u0000'));

/** All that is wrong with params, query, headers and body at once, or the parsed call. */
function readInput(endpoint: Endpoint, request: FastifyRequest): Outcome<Record<string, unknown>> {
  const issues: Issue[] = [];
  const read = (schema: z.ZodType | undefined, value: unknown, prefix: string) => {
    if (!schema) return undefined;
    // As in bodies, where the parser refuses it.
    if (prefix !== '' && holdsNul(value)) {
      issues.push({ path: prefix, message: 'A NUL character has no place here' });
      return undefined;
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    issues.push(...issuesOf(parsed.error, prefix));
    return undefined;
  };
  const value = {
    params: read(endpoint.params, request.params, 'params'),
    query: read(endpoint.query, endpoint.method === 'GET' ? chosen(request.query) : request.query, 'query'),
    headers: read(endpoint.headers, request.headers, 'headers'),
    body: read(endpoint.body, request.body, ''),
  };
  return issues.length > 0 ? invalid(issues) : { ok: true, value };
}

function callOf<E extends Endpoint>(request: FastifyRequest, input: Record<string, unknown>): Call<E> {
  const { authentication } = request;
  return {
    ...input,
    sent: request.body,
    actor: authentication.status === 'signed-in' ? authentication.actor : undefined,
    ip: request.callerAddress,
    userAgent: String(request.headers['user-agent'] ?? '').slice(0, 512),
  } as Call<E>;
}

/**
 * Bytes that a body may have: what strangers and everybody who is signed in may send is short, and reading JSON holds
 * everybody else up; who steers the configuration may send all of it.
 */
function bodyLimitOf({ access }: Endpoint): number {
  if (access === 'public') return 16 * 1024;
  return typeof access === 'string' ? 64 * 1024 : maxBodyBytes;
}

/** Imported configurations and lists of addresses are the largest bodies. */
export const maxBodyBytes = 4 * 1024 * 1024;

/**
 * Answers one endpoint of the contract's table: access first, then the input, then the handler. The response is
 * put through its schema, so that a field which the contract does not name can't leave the service. A long one is
 * streamed, for as long as its caller may have it.
 */
export function serve<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: Handler<E>,
): void {
  app.route({
    method: endpoint.method,
    url: `/api${pathOf(endpoint)}`,
    bodyLimit: bodyLimitOf(endpoint),
    config: { endpoint },
    async handler(request, reply) {
      const input = readInput(endpoint, request);
      if (!input.ok) return sendFailure(reply, input);
      return answer(request, reply, endpoint, await handler(callOf<E>(request, input.value)));
    },
  });
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  outcome: Outcome<unknown> | Failure,
): FastifyReply {
  if (!outcome.ok) return sendFailure(reply, outcome);
  if (!endpoint.response || outcome.value === undefined) return reply.code(204).send();
  const { begin, rest } = jsonAnswer(endpoint.response, outcome.value);
  reply.code(200).type('application/json; charset=utf-8');
  if (!rest) return reply.send(begin);
  // All of it would be made to send nothing.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(permittedText(inWhole(begin, rest, request), endpoint, request));
}

async function* inWhole(
  begin: string,
  rest: Iterable<string>,
  request: FastifyRequest,
): AsyncGenerator<string> {
  yield begin;
  try {
    yield* rest;
  } catch (error) {
    // The status is sent: the connection breaks, and the log alone can say why.
    request.reportFailure(error);
    throw error;
  }
}

/** What a streaming call answers: text as it becomes ready. */
export interface TextStream {
  readonly type: string;
  /** what a browser saves it as */
  readonly filename: string;
  readonly text: AsyncIterable<string>;
}

/** How old an answer to the question may be whether its caller is still let in, while a stream is made. */
const recheckMs = 1000;

type Recheck = () => Promise<void>;

/** @returns asks whether a caller is still let in, where the last answer is old; rejects where they are not */
function recheckOf(request: FastifyRequest, { access }: Endpoint): Recheck {
  let checked = performance.now();
  return async () => {
    if (performance.now() - checked < recheckMs) return;
    const refused = refusal(access, await request.authenticateAgain());
    if (refused) throw new Error(`The stream ended: ${refused}`);
    checked = performance.now();
  };
}

async function* whilePermitted(text: AsyncIterable<string>, recheck: Recheck): AsyncGenerator<string> {
  for await (const piece of text) {
    await recheck();
    yield piece;
  }
}

/**
 * The text for as long as its caller may have it: who was signed out, or lost the permission, gets no further piece.
 * The connection then breaks, so that nobody takes the part for the whole; also that of a reader who reads nothing.
 */
function permittedText(pieces: AsyncIterable<string>, endpoint: Endpoint, request: FastifyRequest): Readable {
  const recheck = recheckOf(request, endpoint);
  const text = Readable.from(whilePermitted(inTurns(pieces), recheck), { objectMode: false });
  // A piece that nobody takes is never asked for the next one.
  const watch = setInterval(() => void recheck().catch((error) => text.destroy(error)), recheckMs);
  watch.unref();
  return text.once('close', () => clearInterval(watch));
}

/**
 * Answers an endpoint that `produces` a stream; access and input are checked as with {@link serve}, and access again
 * while the stream is made.
 */
export function serveStream<const E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Outcome<TextStream>>,
): void {
  app.route({
    method: endpoint.method,
    url: `/api${pathOf(endpoint)}`,
    bodyLimit: bodyLimitOf(endpoint),
    // HEAD would read all of it to send nothing.
    exposeHeadRoute: false,
    config: { endpoint },
    async handler(request, reply) {
      const input = readInput(endpoint, request);
      if (!input.ok) return sendFailure(reply, input);
      const outcome = await handler(callOf<E>(request, input.value));
      if (!outcome.ok) return sendFailure(reply, outcome);
      const { type, filename } = outcome.value;
      return reply
        .type(type)
        .header('Content-Disposition', `attachment; filename="${filename}"`)
        .send(permittedText(outcome.value.text, endpoint, request));
    },
  });
}

/** Texts of one call that are read and worked on at once: a million entries take a hundred megabytes. */
const textsAtOnce = 2;

/** Answers an endpoint that `accepts` a text; access and input are checked as with {@link serve}. */
export function serveText<const E extends Endpoint, T>(
  app: FastifyInstance,
  endpoint: E,
  reader: TextReader<T>,
  handler: (call: Call<E>, text: T) => Promise<Outcome<Answer<E>>>,
): void {
  let underWay = 0;
  // A scope of its own, for other calls take no such body.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addHook('preParsing', async (_request, reply) => {
      if (underWay >= textsAtOnce) {
        return sendFailure(reply, failure('too_many_requests', { retryAfterSeconds: 5 }));
      }
      underWay += 1;
      reply.raw.once('close', () => {
        underWay -= 1;
      });
      return undefined;
    });
    scope.addContentTypeParser(endpoint.accepts ?? '', (request: FastifyRequest, payload: Readable) =>
      readTextBody(request, payload, reader),
    );
    scope.route({
      method: endpoint.method,
      url: `/api${pathOf(endpoint)}`,
      bodyLimit: reader.maxBytes,
      config: { endpoint },
      async handler(request, reply) {
        const input = readInput(endpoint, request);
        if (!input.ok) return sendFailure(reply, input);
        if (request.body === undefined) return sendFailure(reply, wantsText(endpoint.accepts ?? ''));
        const outcome = await handler(callOf<E>(request, input.value), request.body as T);
        return answer(request, reply, endpoint, outcome);
      },
    });
  });
}

/** Refuses before the body is read, so that a stranger cannot make the service parse megabytes. */
export async function enforceAccess(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const endpoint = request.routeOptions.config.endpoint;
  if (!endpoint) return;
  const code = refusal(endpoint.access, request.authentication);
  if (code) {
    if (code !== 'forbidden') reply.header('WWW-Authenticate', 'Bearer');
    await sendFailure(reply, { ok: false, code });
  }
}
