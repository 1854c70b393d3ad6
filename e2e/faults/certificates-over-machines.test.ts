import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fleet } from '@portcullis/contract/fleet';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type PartProcess,
  type RedisServer,
  redisMissing,
  startPart,
  startRedis,
} from '../../packages/cli/src/redis/testing/index.ts';
import {
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../packages/service/src/storage/testing/index.ts';
import { type AcmeServer, pebbleMissing, startAcmeServer } from '../../packages/service/src/testing/index.ts';
import { onMachine } from '../product/machines.ts';

const missing = redisMissing ?? postgresMissing ?? pebbleMissing();
const admin = { email: 'admin@example.com', password: 'Correct-horse-7!' };

describe.skipIf(missing)(`a certificate over several machines${missing ? ` (${missing})` : ''}`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-acme-machines-'));
  const asked = [0, 0];
  let redis: RedisServer;
  let postgres: PostgresServer;
  let authority: AcmeServer;
  let balancer: Server;
  let service: PartProcess;
  let gateways: PartProcess[] = [];

  const start = (name: string, args: string[], more: Record<string, string> = {}) =>
    startPart(args, {
      ...onMachine(folder, name, redis),
      PORTCULLIS_HTTP_PORT: '0',
      PORTCULLIS_GATEWAY_WORKERS: '1',
      ...more,
    });

  beforeAll(async () => {
    [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    // Each connection of the authority goes to the next gateway, as before a round-robin name.
    let turn = 0;
    balancer = createServer((near) => {
      const next = turn++ % 2;
      asked[next] = (asked[next] ?? 0) + 1;
      const far = connect(gateways[next]?.port ?? 0, '127.0.0.1');
      for (const end of [near, far]) end.on('error', () => {});
      near.pipe(far).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(balancer, 'listening');
    authority = await startAcmeServer((balancer.address() as AddressInfo).port);
    service = await start('service-a', ['service'], {
      PORTCULLIS_DATABASE_URL: await postgres.url('certificates'),
      PORTCULLIS_ADMIN_EMAIL: admin.email,
      PORTCULLIS_ADMIN_PASSWORD: admin.password,
      PORTCULLIS_ACME_DIRECTORY: authority.authority.directoryUrl,
      PORTCULLIS_ACME_CA: authority.authority.ca ?? '',
    });
    gateways = await Promise.all(
      ['edge-a', 'edge-b'].map((name) => start(name, ['gateway', '--id', 'gateway-1'])),
    );
  }, 150_000);
  afterAll(async () => {
    await Promise.all([service, ...gateways].map((part) => part?.stop()));
    await authority?.stop();
    balancer?.close();
    await Promise.all([redis?.stop(), postgres?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is proven by whichever gateway the authority asks', async () => {
    let token = '';
    const post = async (url: string, body: object) => {
      const response = await fetch(`http://127.0.0.1:${service.port}/api${url}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, string>;
    };
    token = (await post('/auth/login', admin))['token'] ?? '';
    // An order waits for the gateways that the service knows of.
    const authorization = `Bearer ${token}`;
    await vi.waitFor(
      async () => {
        const answer = await fetch(`http://127.0.0.1:${service.port}/api/fleet`, {
          headers: { authorization },
        });
        const { members } = (await answer.json()) as Fleet;
        expect(members.filter(({ kind }) => kind === 'gateway')).toHaveLength(2);
      },
      { timeout: 20_000, interval: 100 },
    );
    const { id } = await post('/sites', {
      ...{ name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:9' },
      ssl: { enabled: true },
    });
    const issued = await post(`/sites/${id}/certificate/issue`, {});
    expect(issued).toMatchObject({ source: 'acme', state: 'valid', domains: ['shop.example.com'] });
    const second = await post(`/sites/${id}/certificate/issue`, {});
    expect(second).toMatchObject({ state: 'valid' });
    expect(Math.min(...asked)).toBeGreaterThan(0);
  }, 60_000);
});
