import { setTimeout as delay } from 'node:timers/promises';
import { BanInForce, LiftedBan } from '@portcullis/contract/access';
import type { ConfigSnapshot, ConfigSource, Delivery, Directive, EventSink } from '@portcullis/contract/link';
import { z } from 'zod';
import type { Log } from '../log/index.ts';
import { Agent } from './http-client.ts';
import { createJsonReader, type JsonReader } from './large-json.ts';
import { requireOwnFolder } from './socket-path.ts';
import { linkHeader, ownSpoken } from './spoken.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const DirectiveLine = z.discriminatedUnion('type', [
  // The gateway examines it, and tells in its report why it refuses one.
  z.object({ type: z.literal('snapshot'), snapshot: z.custom<ConfigSnapshot>(isObject) }),
  z.object({ type: z.literal('watch'), active: z.boolean() }),
  z.object({ type: z.literal('operators'), addresses: z.array(z.string().max(64)).max(10_000) }),
  z.object({ type: z.literal('bans'), began: z.array(BanInForce), lifted: z.array(LiftedBan) }),
]);
const DeliveryAnswer = z.union([
  z.object({ delivered: z.literal(true) }),
  z.object({ delivered: z.literal(false), retry: z.boolean(), reason: z.string() }),
]);

const knownTypes = new Set(DirectiveLine.options.map(({ shape }) => shape.type.value as string));

const firstPauseMs = 50;
const longestPauseMs = 2000;
const deliveryTimeoutMs = 15_000;
/** A name for the Host header; the socket says where it goes. */
const origin = 'http://service';

/** A gateway's end of the link on one machine: reconnects for ever, and says so only when the state changes. */
export interface LinkClient {
  readonly source: ConfigSource;
  readonly sink: EventSink;
  stop(): Promise<void>;
}

/** @param socketPath the same that the service's {@link createLinkServer} listens on */
export function createLinkClient(socketPath: string, log: Log): LinkClient {
  const agent = new Agent({ connect: { socketPath }, headersTimeout: deliveryTimeoutMs, bodyTimeout: 0 });
  const ask: Ask = async (options) => {
    requireOwnFolder(socketPath);
    return agent.request(options);
  };
  const abort = new AbortController();
  let following: Promise<void> | undefined;
  const deliver = (path: string, message: unknown) => post(ask, path, message);
  return {
    source: {
      start(onDirective) {
        following ??= follow(ask, abort.signal, onDirective, log);
      },
      async stop() {
        abort.abort();
        await following;
      },
    },
    sink: {
      deliver: (batch) => deliver('/batches', batch),
      report: (report) => deliver('/reports', report),
      sight: (sightings) => deliver('/sightings', sightings),
    },
    async stop() {
      abort.abort();
      await following;
      await agent.destroy();
    },
  };
}

type Ask = Agent['request'];

async function post(ask: Ask, path: string, message: unknown): Promise<Delivery> {
  try {
    const { statusCode, body } = await ask({
      origin,
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', [linkHeader]: ownSpoken },
      body: JSON.stringify(message),
    });
    if (statusCode === 200) return DeliveryAnswer.parse(await body.json());
    await body.dump();
    return { delivered: false, retry: statusCode >= 500, reason: `the service answered ${statusCode}` };
  } catch (error) {
    return { delivered: false, retry: true, reason: (error as Error).message };
  }
}

async function follow(
  ask: Ask,
  signal: AbortSignal,
  onDirective: (directive: Directive) => void,
  log: Log,
): Promise<void> {
  let pauseMs = firstPauseMs;
  let connected: boolean | undefined;
  const reader = createJsonReader();
  while (!signal.aborted) {
    try {
      const answer = await ask({ origin, path: '/directives', method: 'GET', signal });
      if (connected === false) log.info('the service is back');
      connected = true;
      pauseMs = firstPauseMs;
      for await (const line of lines(answer.body, reader)) receive(line, onDirective, log);
    } catch (error) {
      if (!signal.aborted && connected) {
        log.warn('the service is away; serving on with the last good configuration', {
          reason: (error as Error).message,
        });
      }
    }
    connected &&= false;
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** @returns the value of each line; undefined for one that is no JSON */
async function* lines(chunks: AsyncIterable<Buffer>, reader: JsonReader): AsyncGenerator<unknown> {
  let line = reader.begin();
  try {
    for await (const chunk of chunks) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        line.add(chunk.subarray(start, end));
        yield await line.end();
        line = reader.begin();
        start = end + 1;
      }
      if (start < chunk.length) line.add(chunk.subarray(start));
    }
  } finally {
    line.drop();
  }
}

function receive(sent: unknown, onDirective: (directive: Directive) => void, log: Log): void {
  // A newer service may say what this gateway does not know.
  if (isObject(sent) && 'type' in sent && typeof sent.type === 'string' && !knownTypes.has(sent.type)) return;
  const parsed = DirectiveLine.safeParse(sent);
  if (parsed.success) onDirective(parsed.data);
  else
    log.error('the service sent what this gateway cannot read; the last good configuration stays', {
      reason: z.prettifyError(parsed.error).slice(0, 2000),
    });
}
