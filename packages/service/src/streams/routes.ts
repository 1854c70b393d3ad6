import { LogStreamQuery, systemStreamEvent } from '@portcullis/contract/streams';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AuthenticationParts } from '../auth/index.ts';
import { chosen, issuesOf, sendFailure } from '../http/index.ts';
import { invalid } from '../outcome.ts';
import type { SystemSampler } from '../system/index.ts';
import { StreamDoor } from './door.ts';
import { frame } from './event-stream.ts';
import type { LogHub } from './log-hub.ts';
import type { ReaderGroup } from './reader-group.ts';

export interface StreamParts extends AuthenticationParts {
  readonly hub: LogHub;
  readonly sampler: SystemSampler;
  readonly systemReaders: ReaderGroup;
}

const SystemStreamQuery = z.object({ token: LogStreamQuery.shape.token });

function systemStream(app: FastifyInstance, parts: StreamParts, door: StreamDoor): void {
  const access = { anyOf: ['metrics:view'] } as const;
  app.get('/api/metrics/system/stream', { exposeHeadRoute: false }, async (request, reply) => {
    const query = SystemStreamQuery.safeParse(chosen(request.query));
    if (!query.success) return sendFailure(reply, invalid(issuesOf(query.error, 'query')));
    const entered = await door.enter(request, reply, access, query.data.token);
    if (!entered.ok) return sendFailure(reply, entered);
    const { latest } = parts.sampler;
    if (latest) entered.value.stream.send(frame(systemStreamEvent, latest), 1);
    parts.systemReaders.add(entered.value);
    return reply;
  });
}

/** GET /logs/stream, on the host root as the specification has it and under /api, and the system figures. */
export function streamRoutes(app: FastifyInstance, parts: StreamParts): void {
  const door = new StreamDoor(parts);
  const access = { anyOf: ['audit:view'] } as const;
  for (const url of ['/logs/stream', '/api/logs/stream']) {
    app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
      const query = LogStreamQuery.safeParse(chosen(request.query));
      if (!query.success) return sendFailure(reply, invalid(issuesOf(query.error, 'query')));
      const entered = await door.enter(request, reply, access, query.data.token);
      if (!entered.ok) return sendFailure(reply, entered);
      const { siteId, level, lastEventId } = query.data;
      const header = request.headers['last-event-id'];
      parts.hub.add(
        { ...entered.value, filter: { siteId, level: level === 'all' ? undefined : level } },
        // The header is the newer one: the browser sets it when it connects anew by itself.
        typeof header === 'string' ? header : lastEventId,
      );
      return reply;
    });
  }
  systemStream(app, parts, door);
}
