import type { GuardOptions } from './guard.ts';
import { guardMessage, type NodeRequest, type NodeResponse } from './node-http.ts';

interface FastifyLikeRequest {
  readonly raw: NodeRequest;
}

interface FastifyLikeReply {
  readonly raw: NodeResponse;
  hijack(): unknown;
}

/** A Fastify hook: `app.addHook('onRequest', guardFastify(options))`. It runs before Fastify reads the body. */
export function guardFastify(
  options: GuardOptions,
): (request: FastifyLikeRequest, reply: FastifyLikeReply, done: () => void) => void {
  return (request, reply, done) => {
    const refusing: NodeResponse = {
      get statusCode() {
        return reply.raw.statusCode;
      },
      set statusCode(status) {
        // Fastify must not answer a second time.
        reply.hijack();
        reply.raw.statusCode = status;
      },
      setHeader: (name, value) => reply.raw.setHeader(name, value),
      end: (body) => reply.raw.end(body),
    };
    guardMessage(options, request.raw, refusing, done);
  };
}
