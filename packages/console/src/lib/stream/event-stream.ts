import { authEndpoints } from '@portcullis/contract/api';
import { streamTimings } from '@portcullis/contract/streams';
import { ApiError, call } from '../api/index.ts';
import { readToken } from '../session/index.ts';

/** `connected` only while events can arrive. */
export type StreamState = 'connecting' | 'connected' | 'disconnected';

/** One stream of server-sent events. */
export interface StreamOptions {
  /** on the service's host, `/logs/stream` */
  path: string;
  query: Record<string, string | undefined>;
  /** called with the data of each event, by event name */
  on: Record<string, (data: string) => void>;
  onState: (state: StreamState, reason?: 'no-token' | 'lost') => void;
  /** where the reader got to: kept up here, and read whenever a connection is made, so that it goes on from there */
  position?: StreamPosition;
}

/** The id of the last event that came; undefined before the first. */
export interface StreamPosition {
  lastEventId: string | undefined;
}

/**
 * Keeps a stream open: asks for a single-use ticket (a server without that call gets the stored token),
 * connects, and after an error tries again in five seconds, going on after the last event that came.
 * @returns how to close it for good
 */
export function openStream(options: StreamOptions): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const retry = () => {
    source?.close();
    if (closed) return;
    options.onState('disconnected', 'lost');
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), streamTimings.reconnectMs);
  };

  const connect = async () => {
    options.onState('connecting');
    const pass = await streamPass();
    if (closed) return;
    if (pass === undefined) {
      options.onState('disconnected', 'no-token');
      return;
    }
    if (pass === 'failed') {
      retry();
      return;
    }
    source = new EventSource(address(options, pass));
    source.onopen = () => options.onState('connected');
    source.onerror = retry;
    for (const [name, listener] of Object.entries(options.on)) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        if (options.position && event.lastEventId !== '') options.position.lastEventId = event.lastEventId;
        listener(event.data);
      });
    }
    // The server asks for a new connection, for example before it restarts.
    source.addEventListener('reconnect', () => {
      source?.close();
      if (!closed) void connect();
    });
  };

  void connect();
  return () => {
    closed = true;
    clearTimeout(timer);
    source?.close();
  };
}

function address(options: StreamOptions, pass: { token: string }): string {
  const query = new URLSearchParams({ token: pass.token });
  const filters = { ...options.query, lastEventId: options.position?.lastEventId };
  for (const [key, value] of Object.entries(filters)) if (value) query.set(key, value);
  return `${options.path}?${query}`;
}

/** What opens the stream; undefined when signed out, `failed` when the service gave none. */
async function streamPass(): Promise<{ token: string } | 'failed' | undefined> {
  const token = readToken();
  if (token === null) return undefined;
  try {
    const { ticket } = await call(authEndpoints.streamTicket, {});
    return { token: ticket };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { token };
    return error instanceof ApiError && error.status === 401 ? undefined : 'failed';
  }
}
