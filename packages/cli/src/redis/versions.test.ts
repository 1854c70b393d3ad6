import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  ConfigSnapshot,
  type ConfigSource,
  type ControlPlane,
  type EventBatch,
  type EventSink,
  type GatewayReport,
  type LinkSpoken,
  linkVersion,
  ownLink,
} from '@portcullis/contract/link';
import { createGateway } from '@portcullis/gateway';
import { gatewayReport } from '@portcullis/service/testing/gateway-report';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLinkClient, createLinkServer } from '../link/index.ts';
import { createEnvelope } from './envelope.ts';
import { createRedisControlLink, createRedisGatewayLink } from './index.ts';
import { names } from './names.ts';
import { type RedisServer, redisMissing, startRedis } from './testing/index.ts';

const clusterKey = 'a cluster key of more than 32 characters';
const soon = { timeout: 30_000, interval: 20 };
/** Can be read by this version; the one after it can not. */
const next: LinkSpoken = { linkVersion: linkVersion + 1, linkCompatibleFrom: linkVersion };
const after: LinkSpoken = { linkVersion: linkVersion + 1, linkCompatibleFrom: linkVersion + 1 };
const unknown = { aFieldOfTomorrow: { nested: [1, 2] } };

const ends: (() => unknown)[] = [];
const temporary = () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-versions-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const lines: string[] = [];
const tell = (message: string, fields?: unknown) => void lines.push(`${message} ${JSON.stringify(fields)}`);
const log = { info: tell, warn: tell, error: tell };

/** How messages of a gateway or service of any version are put on the wire, as they would be. */
interface Wire {
  readonly name: string;
  readonly missing?: string | undefined;
  start?(): Promise<void>;
  stop?(): Promise<void>;
  /** joins this version's service. `spoken` is undefined for the first version, which did not say */
  toService(plane: ControlPlane): Promise<{
    report(message: object, spoken: LinkSpoken | undefined): Promise<unknown>;
    batch(message: object, spoken: LinkSpoken | undefined): Promise<unknown>;
  }>;
  /** joins this version's gateway */
  toGateway(): Promise<{
    readonly source: ConfigSource;
    readonly sink: EventSink;
    offer(snapshot: object, spoken: LinkSpoken | undefined): Promise<unknown>;
  }>;
}

const socket: Wire = {
  name: 'a Unix socket',
  async toService(plane) {
    const socketPath = path.join(temporary(), 'link.sock');
    const server = createLinkServer(socketPath, plane, log);
    await server.start();
    ends.push(() => server.stop());
    const post = (url: string, message: object, spoken: LinkSpoken | undefined) =>
      new Promise<unknown>((resolve, reject) => {
        const headers = spoken && { 'portcullis-link': `${spoken.linkVersion} ${spoken.linkCompatibleFrom}` };
        const asked = request({ socketPath, path: url, method: 'POST', headers }, (answer) => {
          answer.toArray().then((chunks) => resolve(JSON.parse(Buffer.concat(chunks).toString())), reject);
        });
        asked.on('error', reject).end(JSON.stringify(message));
      });
    return {
      report: (message, spoken) => post('/reports', message, spoken),
      batch: (message, spoken) => post('/batches', message, spoken),
    };
  },
  async toGateway() {
    const socketPath = path.join(temporary(), 'link.sock');
    const followers = new Set<ServerResponse>();
    const service = createServer((asked, answer) => {
      if (asked.url !== '/directives') return void answer.end('{"delivered":true}');
      followers.add(answer);
      answer.flushHeaders();
    });
    await new Promise<void>((resolve) => service.listen(socketPath, resolve));
    const link = createLinkClient(socketPath, log);
    ends.push(async () => {
      await link.stop();
      service.closeAllConnections();
      service.close();
    });
    return {
      ...link,
      async offer(snapshot) {
        await vi.waitFor(() => expect(followers.size).toBeGreaterThan(0), soon);
        for (const line of [unknown, { type: 'tomorrow', ...unknown }, { type: 'snapshot', snapshot }])
          for (const follower of followers) follower.write(`${JSON.stringify(line)}\n`);
      },
    };
  },
};

function overRedis(): Wire {
  let server: RedisServer;
  let direct: Redis;
  const envelope = createEnvelope(clusterKey);
  const from = (spoken: LinkSpoken | undefined) => spoken?.linkCompatibleFrom ?? 1;
  return {
    name: 'Redis',
    missing: redisMissing,
    async start() {
      server = await startRedis();
      direct = new Redis(server.url, { protocol: 2 });
    },
    async stop() {
      direct?.disconnect();
      await server?.stop();
    },
    async toService(plane) {
      await direct.flushall();
      const link = createRedisControlLink({ url: server.url, clusterKey, log });
      link.start(plane);
      ends.push(() => link.stop());
      await vi.waitFor(() => expect(link.peers.hearing).toBe(true), soon);
      // A service of tomorrow says what this one does not know.
      await direct.publish(
        names.peers,
        envelope.seal({ from: 'other', message: { type: 'tomorrow' } }, 'peers'),
      );
      return {
        report: (message, spoken) =>
          direct.publish(`portcullis:reports:${from(spoken)}`, envelope.seal(message, 'report')),
        batch: (message, spoken) =>
          direct.xadd(`portcullis:batches:${from(spoken)}`, '*', 'batch', envelope.seal(message, 'batch')),
      };
    },
    async toGateway() {
      await direct.flushall();
      const link = createRedisGatewayLink({ url: server.url, clusterKey, log });
      ends.push(() => link.stop());
      return {
        ...link,
        async offer(snapshot, spoken) {
          const { version } = snapshot as { version: number };
          const key = `portcullis:configuration:${from(spoken)}`;
          await direct.set('portcullis:link', `${spoken?.linkVersion ?? 1} ${from(spoken)}`);
          await direct.hset(key, { version, sealed: envelope.seal(snapshot, 'snapshot'), key: 'k' });
        },
      };
    },
  };
}

function service() {
  const reports: GatewayReport[] = [];
  const batches: string[] = [];
  const plane: ControlPlane = {
    current: () => [],
    subscribe: () => () => {},
    accept: (batch) => plane.acceptAll([batch]),
    async acceptAll(all) {
      batches.push(...all.map(({ id }) => id));
      return { delivered: true };
    },
    acceptReport: (report) => void reports.push(report),
    acceptSightings: () => {},
    fleet: () => undefined,
    overtaken: async () => {},
  };
  return { plane, reports, batches };
}

const report = (gatewayId: string) => gatewayReport({ gatewayId, productVersion: '9.9.9' });
const batch = (id: string): EventBatch => ({ id, gatewayId: 'one', events: [], counters: [], dropped: 0 });
const snapshot = (version: number) =>
  ConfigSnapshot.parse({ ...ownLink, version, createdAt: '2026-01-01T00:00:00.000Z', sites: [] });

for (const wire of [socket, overRedis()]) {
  describe.skipIf(wire.missing)(
    `versions of the link over ${wire.name}${wire.missing ? ` (${wire.missing})` : ''}`,
    () => {
      beforeAll(() => wire.start?.());
      afterEach(async () => {
        for (const end of ends.splice(0)) await end();
        lines.length = 0;
      });
      afterAll(() => wire.stop?.());

      /** A gateway of this version, with what it says of itself. */
      async function gateway() {
        const { source, sink, offer } = await wire.toGateway();
        const reports: GatewayReport[] = [];
        const worker = createGateway({
          ...{
            id: 'gateway-1',
            host: '127.0.0.1',
            httpPort: 0,
            httpsPort: 0,
            dataDir: temporary(),
            source,
            log,
          },
          sink: {
            ...sink,
            report(told) {
              reports.push(told);
              return sink.report(told);
            },
          },
        });
        await worker.start();
        ends.push(() => worker.stop({ graceMs: 0 }));
        const serves = (version: number) =>
          vi.waitFor(() => expect(reports.at(-1)?.configVersion).toBe(version), soon);
        return { offer, reports, serves };
      }

      it('a service takes reports and batches of a gateway of the version before and of the next one', async () => {
        const { plane, reports, batches } = service();
        const gateways = await wire.toService(plane);
        await gateways.report(report('before'), undefined);
        await gateways.report({ ...report('next'), ...next, ...unknown }, next);
        await gateways.batch(batch('of before'), undefined);
        await gateways.batch({ ...batch('of next'), ...unknown }, next);
        await vi.waitFor(() => expect(batches).toEqual(['of before', 'of next']), soon);
        await vi.waitFor(
          () => expect(reports).toMatchObject([{ gatewayId: 'before' }, { gatewayId: 'next' }]),
          soon,
        );
        expect(lines.join()).not.toContain('cannot read');
      });

      it('a service knows of a gateway that it cannot read, and leaves it its events', async () => {
        const { plane, reports, batches } = service();
        const gateways = await wire.toService(plane);
        const { spoolBytes: _, ...changed } = report('after');
        await gateways.report({ ...changed, ...after }, after);
        const left = await gateways.batch({ ...batch('of after'), events: 'in another form' }, after);
        await vi.waitFor(() => expect(reports).toMatchObject([{ gatewayId: 'after', ...after }]), soon);
        expect(batches).toEqual([]);
        expect(left).not.toMatchObject({ delivered: true });
        expect(left).not.toMatchObject({ retry: false });
      });

      it('a gateway serves by what a service of the version before or of the next one offers', async () => {
        const { offer, serves } = await gateway();
        const { linkCompatibleFrom: _, secrets: _without, ...before } = snapshot(3);
        await offer(before, undefined);
        await serves(3);
        await offer({ ...snapshot(4), ...next, ...unknown }, next);
        await serves(4);
      });

      it('a gateway stays with what it has where it cannot read the offer, and says which end to mend', async () => {
        const { offer, reports, serves } = await gateway();
        await offer(snapshot(3), ownLink);
        await serves(3);
        await offer({ ...snapshot(4), ...after, sites: 'in another form' }, after);
        await vi.waitFor(() => {
          const said = [...lines, JSON.stringify(reports.at(-1)?.refused)].join('\n');
          expect(said).toMatch(
            new RegExp(`needs (version )?${after.linkVersion}.*ring (this end|it) up to date`),
          );
        }, soon);
        await serves(3);
      });
    },
  );
}
