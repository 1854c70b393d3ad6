import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PeerMessage, Peers } from '@portcullis/contract/link';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadSealer } from './sealing/index.ts';
import { testDialects } from './storage/testing/index.ts';
import { adminEmail, adminPassword, startService, type TestService } from './testing/index.ts';

/** What joins services of one test, as a channel does: who speaks does not hear it. */
function channel() {
  const members = new Set<Set<(message: PeerMessage) => void>>();
  return (): Peers => {
    const own = new Set<(message: PeerMessage) => void>();
    members.add(own);
    return {
      hearing: true,
      tell(message) {
        for (const others of members) if (others !== own) for (const listener of others) listener(message);
      },
      subscribe(listener) {
        own.add(listener);
        return () => own.delete(listener);
      },
    };
  };
}

const postgres = testDialects().find(({ name }) => name === 'postgres');
const missing = postgres?.missing;

describe.skipIf(missing)(`several services on one database${missing ? ` (${missing})` : ''}`, () => {
  let folder: string;
  let databaseUrl: string | undefined;
  let join: () => Peers;
  const services: TestService[] = [];
  const start = async (name: string) => {
    const service = await startService({
      dataDir: path.join(folder, name),
      databaseUrl,
      peers: join(),
      bootstrapAdmin: { email: adminEmail, password: adminPassword },
    });
    services.push(service);
    return service;
  };
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'portcullis-replicas-'));
    await loadSealer(path.join(folder, 'a'));
    for (const name of ['b', 'c'])
      await cp(path.join(folder, 'a'), path.join(folder, name), { recursive: true });
  });
  beforeEach(async () => {
    databaseUrl = await postgres?.databaseUrl();
    join = channel();
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });
  afterAll(async () => {
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('that start at once on an empty one have the same keys and the same administrator', async () => {
    const [first, ...others] = await Promise.all(['a', 'b', 'c'].map(start));
    const token = await first?.signIn();
    const secrets = services.map(({ service }) =>
      service.controlPlane
        .current()
        .flatMap((told) => (told.type === 'snapshot' ? told.snapshot.secrets : [])),
    );
    expect(secrets[0]?.[0]?.challengeKeys).toHaveLength(1);
    for (const secret of secrets) expect(secret).toEqual(secrets[0]);
    for (const { call } of others)
      expect((await call('GET', '/api/auth/me', undefined, token)).status).toBe(200);
  });
});
