import type { Access } from '@portcullis/contract/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuthenticationParts, actorOf, authenticate, authenticateStream } from '../auth/index.ts';
import { type Actor, type Authentication, refusal } from '../http/index.ts';
import { failure, type Outcome, success } from '../outcome.ts';
import { EventStream } from './event-stream.ts';

/** A browser tab holds one or two streams; this bounds a runaway client, not a team. */
const streamsPerUser = 10;

/** A reader that was let in. */
export interface OpenedReader {
  readonly stream: EventStream;
  /** whether its session is still good and permitted */
  isValid(): Promise<boolean>;
}

/** Headers that the HTTP server's hooks had set for an ordinary answer. */
function headersOf(reply: FastifyReply): Record<string, string> {
  const set = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}

/** Lets readers of all streams in: by ticket, token or header, and so many a user. */
export class StreamDoor {
  readonly #parts: AuthenticationParts;
  readonly #open = new Map<string, number>();

  constructor(parts: AuthenticationParts) {
    this.#parts = parts;
  }

  /** @param token of the query: a ticket, or for compatibility the session token */
  async enter(
    request: FastifyRequest,
    reply: FastifyReply,
    access: Access,
    token: string | undefined,
  ): Promise<Outcome<OpenedReader>> {
    const authentication = await authenticateStream(this.#parts, request, token);
    const refused = refusal(access, authentication);
    if (refused || authentication.status !== 'signed-in') return failure(refused ?? 'not_signed_in');
    const { actor } = authentication;
    if ((this.#open.get(actor.userId) ?? 0) >= streamsPerUser) {
      return failure('too_many_requests', { retryAfterSeconds: 5 });
    }
    const stream = new EventStream(reply.raw);
    const headers = headersOf(reply);
    reply.hijack();
    stream.open(headers);
    this.#count(actor.userId, 1);
    stream.onClose(() => this.#count(actor.userId, -1));
    return success({ stream, isValid: () => this.#isValid(request, actor, access) });
  }

  #count(userId: string, by: number): void {
    const left = (this.#open.get(userId) ?? 0) + by;
    if (left > 0) this.#open.set(userId, left);
    else this.#open.delete(userId);
  }

  async #isValid(request: FastifyRequest, { userId, sessionId }: Actor, access: Access): Promise<boolean> {
    // Without a session it is an API token, which stands in the header.
    if (sessionId === undefined)
      return refusal(access, await authenticate(this.#parts, request)) === undefined;
    const actor = await actorOf(this.#parts, { userId, sessionId });
    const now: Authentication = actor ? { status: 'signed-in', actor } : { status: 'ended' };
    return refusal(access, now) === undefined;
  }
}
