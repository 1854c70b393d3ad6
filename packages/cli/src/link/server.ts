import { rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer as createSocketServer, type Server as SocketServer } from 'node:net';
import path from 'node:path';
import {
  type ControlPlane,
  type Delivery,
  type Directive,
  EventBatch,
  linkMismatch,
  readReport,
  Sighting,
} from '@portcullis/contract/link';
import { z } from 'zod';
import type { Log } from '../log/index.ts';
import { holdDataFolder, makeFolder } from './hold.ts';
import { LinkError } from './link-error.ts';
import { linkSocketPath, requireOwnFolder } from './socket-path.ts';
import { linkHeader, readSpoken } from './spoken.ts';

// An import would load an HTTP client of Node's own with it, into gateways too, which read this file.
const { createServer } = process.getBuiltinModule('node:http');

const maxMessageBytes = 64 * 1024 * 1024;
const Sightings = z.array(Sighting).max(1000);

type Answer = (message: unknown) => Delivery | Promise<Delivery>;

/** The service's end of the link on one machine: HTTP on a Unix socket that only this user may open. */
export interface LinkServer {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param socketPath as {@link linkSocketPath} gives it for a folder that this process holds; a stale socket there is replaced */
export function createLinkServer(socketPath: string, plane: ControlPlane, log: Log): LinkServer {
  const answers: Readonly<Record<string, Answer>> = {
    '/batches': parsed(EventBatch, (batch) => plane.accept(batch)),
    '/reports': (message) => {
      const report = readReport(message);
      if (!report) return { delivered: false, retry: false, reason: 'it is no report' };
      plane.acceptReport(report);
      return { delivered: true };
    },
    '/sightings': parsed(Sightings, (sightings) => {
      plane.acceptSightings(sightings);
      return { delivered: true };
    }),
  };
  const lineOf = createLines();
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/directives') {
      streamDirectives(plane, response, lineOf);
      return;
    }
    if (request.method === 'GET' && request.url === '/fleet') {
      answerFleet(plane, response);
      return;
    }
    const answer = answers[request.url ?? ''];
    if (!answer) {
      response.writeHead(404).end();
      return;
    }
    answerMessage(request, response, answer).catch((error: unknown) => {
      log.error('the link could not answer a gateway', { url: request.url, error });
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  return {
    start: () => listen(server, socketPath),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Takes a data folder as a service does, so that none starts on it meanwhile. Gateways that come are sent away and
 * try again.
 * @param mend what to do where a service has it
 * @returns gives it back
 * @throws Error with its mend where a service has it
 */
export async function claimDataFolder(dataDir: string, mend: string): Promise<() => Promise<void>> {
  const release = holdDataFolder(dataDir, mend);
  const server = createSocketServer((socket) => socket.destroy());
  try {
    await listen(server, linkSocketPath(dataDir), mend);
  } catch (error) {
    release();
    throw error;
  }
  return () =>
    new Promise((resolve) =>
      server.close(() => {
        release();
        resolve();
      }),
    );
}

async function listen(server: SocketServer, socketPath: string, mend?: string): Promise<void> {
  makeFolder(path.dirname(socketPath));
  requireOwnFolder(socketPath);
  // One of before that took no lock.
  if (await someoneAnswers(socketPath)) {
    throw new LinkError(
      `another process holds this data folder (it answers on ${socketPath})`,
      mend ?? 'stop the other one, or give this one a PORTCULLIS_DATA_DIR of its own',
    );
  }
  rmSync(socketPath, { force: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(socketPath, resolve);
  await promise;
  server.off('error', reject);
}

/** What connect(2) says of a socket file that nobody listens on, as a killed process leaves one, and of none. */
const nobodyThere: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT']);

async function someoneAnswers(socketPath: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(socketPath, () => resolve(true));
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(!nobodyThere.has(error.code)));
  return promise.finally(() => socket.destroy());
}

/** For `portcullis status`, which whoever may open the socket may ask for. */
function answerFleet(plane: ControlPlane, response: ServerResponse): void {
  const fleet = plane.fleet();
  response.writeHead(fleet ? 200 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify(fleet ?? { reason: 'the service is starting or stopping' }));
}

/** Written once for all gateways that are told in the same turn: of ten thousand sites it is 27 MB. */
function createLines(): (directive: Directive) => Buffer {
  const written = new Map<Directive, Buffer>();
  return (directive) => {
    const line = written.get(directive) ?? Buffer.from(`${JSON.stringify(directive)}\n`);
    if (written.size === 0) setImmediate(() => written.clear());
    written.set(directive, line);
    return line;
  };
}

/** One directive a line, the present ones first. A gateway that reads too slowly is cut and comes back. */
function streamDirectives(
  plane: ControlPlane,
  response: ServerResponse,
  lineOf: (directive: Directive) => Buffer,
): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  const send = (directive: Directive) => {
    if (response.writableLength > maxMessageBytes) response.destroy();
    else response.write(lineOf(directive));
  };
  response.flushHeaders();
  const unsubscribe = plane.subscribe(send);
  for (const directive of plane.current()) send(directive);
  response.on('close', unsubscribe);
}

function parsed<S extends z.ZodType>(
  schema: S,
  answer: (message: z.infer<S>) => Delivery | Promise<Delivery>,
): Answer {
  return (message) => {
    const result = schema.safeParse(message);
    if (result.success) return answer(result.data);
    return { delivered: false, retry: false, reason: z.prettifyError(result.error) };
  };
}

async function answerMessage(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxMessageBytes) {
      response.writeHead(413).end();
      return;
    }
    chunks.push(chunk);
  }
  const mismatch = linkMismatch(readSpoken(request.headers[linkHeader]));
  const delivery: Delivery =
    mismatch !== undefined && request.url === '/batches'
      ? // Nothing of it is lost: it waits on the gateway's disk for a service that can read it.
        { delivered: false, retry: true, reason: mismatch }
      : await answer(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(delivery));
}
