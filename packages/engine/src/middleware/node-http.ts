import { inspectionNeedsBody } from '../inspect/index.ts';
import type { HeaderField, InspectedRequest } from '../parse/index.ts';
import { type GuardOptions, judge } from './guard.ts';

/** As much of Node's `http.IncomingMessage` as the adapter uses. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
  readonly complete: boolean;
  readonly socket: { readonly remoteAddress?: string | undefined };
  read(): unknown;
  unshift(chunk: Uint8Array): void;
  on(event: 'readable' | 'error' | 'aborted', listener: () => void): unknown;
  off(event: 'readable' | 'error' | 'aborted', listener: () => void): unknown;
}

/** As much of Node's `http.ServerResponse` as the adapter uses. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/**
 * Guards a listener of `node:http`: `createServer(guardNode(options, listener))`. The inspected part of the body
 * is put back, so the listener reads the stream as if nobody had.
 */
export function guardNode<Request extends NodeRequest, Response extends NodeResponse>(
  options: GuardOptions,
  listener: (request: Request, response: Response) => void,
): (request: Request, response: Response) => void {
  return (request, response) => guardMessage(options, request, response, () => listener(request, response));
}

/** The same for Express: `app.use(guardExpress(options))`, before anything that reads bodies. */
export function guardExpress(
  options: GuardOptions,
): (request: NodeRequest, response: NodeResponse, next: () => void) => void {
  return (request, response, next) => guardMessage(options, request, response, next);
}

/** Reads the inspection prefix of the body, puts it back, and calls `pass` or answers. */
export function guardMessage(
  options: GuardOptions,
  request: NodeRequest,
  response: NodeResponse,
  pass: () => void,
): void {
  const decide = (body: Uint8Array | undefined, truncated: boolean): void => {
    const refusal = judge(options, toInspected(options, request, body, truncated));
    if (!refusal) {
      pass();
      return;
    }
    response.statusCode = refusal.status;
    for (const [name, value] of refusal.headers) response.setHeader(name, value);
    response.end(refusal.body);
  };
  if (!hasBody(request) || !inspectionNeedsBody(options.policy)) decide(undefined, false);
  else readPrefix(request, options.policy.limits.maxBodyBytes, decide);
}

function hasBody({ rawHeaders }: NodeRequest): boolean {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase();
    if (name === 'transfer-encoding' || (name === 'content-length' && rawHeaders[at + 1] !== '0'))
      return true;
  }
  return false;
}

function readPrefix(
  request: NodeRequest,
  maxBytes: number,
  done: (prefix: Uint8Array, truncated: boolean) => void,
): void {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stop = (): void => {
    request.off('readable', onReadable);
    request.off('error', stop);
    request.off('aborted', stop);
  };
  const onReadable = (): void => {
    for (let chunk = request.read(); chunk instanceof Uint8Array; chunk = request.read()) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) break;
    }
    if (!request.complete && length < maxBytes) return;
    stop();
    const prefix = concatenate(chunks, length);
    // Within the tick in which the last chunk was read: afterwards the stream would end under our hands.
    if (length > 0) request.unshift(prefix);
    done(prefix.subarray(0, maxBytes), !request.complete);
  };
  request.on('readable', onReadable);
  request.on('error', stop);
  request.on('aborted', stop);
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function toInspected(
  options: GuardOptions,
  request: NodeRequest,
  body: Uint8Array | undefined,
  truncated: boolean,
): InspectedRequest {
  const headers: HeaderField[] = [];
  const { rawHeaders } = request;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    httpVersion: request.httpVersion,
    scheme: options.scheme ?? 'http',
    headers,
    ...(body && body.length > 0 && { body }),
    ...(truncated && { bodyTruncated: true }),
    clientIp: request.socket.remoteAddress ?? '',
  };
}
