import { LogStreamQuery } from '@portcullis/contract/streams';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AuthenticationParts, actorOf, authenticate, authenticateStream } from '../auth/index.ts';
import { type Actor, type Authentication, issuesOf, refusal, sendFailure } from '../http/index.ts';
import { failure, invalid } from '../outcome.ts';
import { EventStream } from './event-stream.ts';
import type { LogHub } from './log-hub.ts';

/** A browser tab holds one or two streams; this bounds a runaway client, not a team. */
const streamsPerUser = 10;

const access = { anyOf: ['audit:view'] } as const;

export interface StreamParts extends AuthenticationParts {
  readonly hub: LogHub;
}

/** Headers that the HTTP server's hooks had set for an ordinary answer. */
function headersOf(reply: FastifyReply): Record<string, string> {
  const set = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
}

/** GET /logs/stream, on the host root as the specification has it and under /api. */
export function streamRoutes(app: FastifyInstance, parts: StreamParts): void {
  const open = new Map<string, number>();

  const openFor = (
    { userId, sessionId }: Actor,
    request: FastifyRequest,
    reply: FastifyReply,
    query: LogStreamQuery,
  ) => {
    open.set(userId, (open.get(userId) ?? 0) + 1);
    const stream = new EventStream(reply.raw);
    const headers = headersOf(reply);
    reply.hijack();
    stream.open(headers);
    stream.onClose(() => open.set(userId, (open.get(userId) ?? 1) - 1));
    const isValid = async () => {
      // Without a session it is an API token, which stands in the header.
      if (sessionId === undefined) return refusal(access, await authenticate(parts, request)) === undefined;
      const actor = await actorOf(parts, { userId, sessionId });
      const now: Authentication = actor ? { status: 'signed-in', actor } : { status: 'ended' };
      return refusal(access, now) === undefined;
    };
    const lastEventId = request.headers['last-event-id'];
    parts.hub.add(
      { stream, filter: { siteId: query.siteId, level: query.level }, isValid },
      typeof lastEventId === 'string' ? lastEventId : undefined,
    );
  };

  for (const url of ['/logs/stream', '/api/logs/stream']) {
    app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
      const query = LogStreamQuery.safeParse(request.query);
      if (!query.success) return sendFailure(reply, invalid(issuesOf(query.error, 'query')));
      const authentication = await authenticateStream(parts, request, query.data.token);
      const refused = refusal(access, authentication);
      if (refused || authentication.status !== 'signed-in') {
        return sendFailure(reply, failure(refused ?? 'not_signed_in'));
      }
      if ((open.get(authentication.actor.userId) ?? 0) >= streamsPerUser) {
        return sendFailure(reply, failure('too_many_requests', { retryAfterSeconds: 5 }));
      }
      openFor(authentication.actor, request, reply, query.data);
      return reply;
    });
  }
}
