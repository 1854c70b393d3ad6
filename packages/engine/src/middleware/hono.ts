import { inspectionNeedsBody } from '../inspect/index.ts';
import type { HeaderField, InspectedRequest } from '../parse/index.ts';
import { type GuardOptions, judge } from './guard.ts';

/** As much of a Fetch API request as the adapter uses. */
interface FetchRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { forEach(visit: (value: string, name: string) => void): void };
  readonly body: unknown;
  clone(): { arrayBuffer(): Promise<ArrayBuffer> };
}

interface HonoLikeContext<Answer> {
  readonly req: { readonly raw: FetchRequest };
  body(text: string, status: 302 | 403, headers: Record<string, string>): Answer;
}

/** The address of the client, which the Fetch API does not know: by runtime, for example `getConnInfo(c)`. */
export type ClientAddress<Context> = (context: Context) => string;

/**
 * Middleware for Hono: `app.use(guardHono(options, address))`. Reads a clone of the body, so the handler
 * still reads its own.
 */
export function guardHono<Answer, Context extends HonoLikeContext<Answer>>(
  options: GuardOptions,
  clientAddress: ClientAddress<Context>,
): (context: Context, next: () => Promise<void>) => Promise<Answer | undefined> {
  return async (context, next) => {
    const { raw } = context.req;
    const body =
      raw.body && inspectionNeedsBody(options.policy)
        ? new Uint8Array(await raw.clone().arrayBuffer())
        : undefined;
    const refusal = judge(options, toInspected(raw, body, clientAddress(context), options));
    if (refusal) return context.body(refusal.body, refusal.status, Object.fromEntries(refusal.headers));
    await next();
    return undefined;
  };
}

function toInspected(
  raw: FetchRequest,
  body: Uint8Array | undefined,
  clientIp: string,
  options: GuardOptions,
): InspectedRequest {
  const headers: HeaderField[] = [];
  raw.headers.forEach((value, name) => {
    headers.push([name, value]);
  });
  const { maxBodyBytes } = options.policy.limits;
  return {
    method: raw.method,
    target: /^\w+:\/\/[^/?#]*(.*)$/s.exec(raw.url)?.[1] || '/',
    httpVersion: '1.1',
    scheme: options.scheme ?? (raw.url.startsWith('https:') ? 'https' : 'http'),
    headers,
    ...(body && { body: body.subarray(0, maxBodyBytes) }),
    ...(body && body.length > maxBodyBytes && { bodyTruncated: true }),
    clientIp,
  };
}
