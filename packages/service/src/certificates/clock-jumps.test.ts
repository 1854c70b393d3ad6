import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '@portcullis/contract/certificates';
import type { ConfigSnapshot } from '@portcullis/contract/link';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type AcmeServer,
  type Answer,
  pebbleMissing,
  selfSigned,
  startAcmeServer,
  startService,
  type TestService,
} from '../testing/index.ts';
import type { StoredCertificate } from './index.ts';
import { nextAttempt, renewalTime } from './schedule.ts';

const dayMs = 86_400_000;
const lifeMs = 90 * dayMs;
const names = ['shop.example.com'];

describe('the time of the next attempt where the clock jumps', () => {
  const now = Date.parse('2026-06-01T12:00:00Z');
  const issuedAt = (
    time: number,
    failures: number,
    nextAttemptAt: number,
    chain = '',
  ): StoredCertificate => ({
    ...{ source: 'acme', chain, sealedKey: '', failures, nextAttemptAt },
    steps: [{ step: 'account', status: 'done', detail: '', time: new Date(time).toISOString() }],
  });
  const minute = 60_000;

  it('is now for one that failed while the clock was ahead, and as planned where it went forward a little', () => {
    const failed = issuedAt(now, 1, now + 10 * minute);
    expect(nextAttempt(failed, now - dayMs)).toBe(now - dayMs);
    expect(nextAttempt(failed, now + 2 * minute)).toBe(now + 10 * minute);
    expect(nextAttempt(failed, now - 2 * minute)).toBe(now + 10 * minute);
  });

  it('is a third of a life after an order, however old what came of it looks', async () => {
    const made = await selfSigned(names, { from: now, until: now + lifeMs });
    const at = (time: number) => issuedAt(time, 0, renewalTime(now, now + lifeMs, 0.5), made.certificate);
    expect(nextAttempt(at(now), now + 5000)).toBe(now + 60 * dayMs);
    const ahead = now + 100 * dayMs;
    expect(nextAttempt(at(ahead), ahead + 5000)).toBe(ahead + 30 * dayMs);
    // Put right again, it is renewed by its dates.
    expect(nextAttempt(at(ahead), now + dayMs)).toBe(now + 60 * dayMs);
  });

  it('is now for one that holds for nobody yet, once', async () => {
    const made = await selfSigned(names, { from: now + dayMs, until: now + 91 * dayMs });
    const at = (time: number) => issuedAt(time, 0, now + 61 * dayMs, made.certificate);
    expect(nextAttempt(at(now + dayMs), now)).toBe(now);
    expect(nextAttempt(at(now), now)).toBe(now + 30 * dayMs);
  });
});

function snapshotOf({ service }: TestService): ConfigSnapshot {
  const [directive] = service.controlPlane.current();
  if (directive?.type !== 'snapshot') throw new Error('no snapshot');
  return directive.snapshot;
}

const missing = pebbleMissing();
const title = `certificates while this machine's clock jumps${missing ? ` (${missing})` : ''}`;
describe.skipIf(missing !== undefined)(title, () => {
  const patience = { timeout: 60_000, interval: 100 };
  let ahead = 0;
  let service: TestService;
  let token: string | undefined;
  let sites = 0;
  let gateway: Server;
  let authority: AcmeServer;
  let answers: boolean;

  beforeAll(async () => {
    // Answers from the snapshot alone, as every gateway does.
    gateway = createServer((request, response) => {
      const challenges = answers ? snapshotOf(service).acmeChallenges : [];
      const found = challenges.find(({ token: one }) => request.url === `/.well-known/acme-challenge/${one}`);
      response.writeHead(found ? 200 : 404).end(found?.keyAuthorization);
    }).listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    authority = await startAcmeServer((gateway.address() as AddressInfo).port, lifeMs / 1000);
  });
  afterAll(async () => {
    await authority.stop();
    gateway.close();
  });
  beforeEach(async () => {
    ahead = 0;
    answers = true;
    service = await startService({ acme: authority.authority, now: () => Date.now() + ahead });
  });
  afterEach(async () => {
    answers = false;
    await service.stop();
  });

  /** Signs in again where a jump ended the session. */
  async function api(method: string, url: string, body?: unknown): Promise<Answer['body']> {
    token ??= await service.signIn();
    const answer = await service.call(method, url, body, token);
    if (answer.status !== 401) return answer.body;
    token = undefined;
    return api(method, url, body);
  }
  const shown = async (siteId: string) =>
    ((await api('GET', '/api/certificates')) as Certificate[]).find((one) => one.siteId === siteId);
  const chainOf = (siteId: string) =>
    snapshotOf(service).certificates.find((one) => one.siteId === siteId)?.chain;
  async function addSite(): Promise<string> {
    sites += 1;
    const site = {
      name: `Shop ${sites}`,
      domains: [`shop${sites}.example.com`],
      backend_url: 'http://127.0.0.1:9',
    };
    return (await api('POST', '/api/sites', { ...site, ssl: { enabled: true, autoCert: true } })).id;
  }
  /** Sites are looked at one after the other: between the attempts for two new ones all the others were. */
  async function anotherTurn(): Promise<void> {
    for (let count = 0; count < 2; count += 1) {
      const site = await addSite();
      await vi.waitFor(async () => expect((await shown(site))?.renewAt).toBeDefined(), patience);
    }
  }

  it('are renewed soon after it, once, and those that were good are served meanwhile', async () => {
    const site = await addSite();
    await vi.waitFor(() => expect(chainOf(site)).toBeDefined(), patience);
    for (const days of [61, 100]) {
      const before = chainOf(site);
      ahead = days * dayMs;
      await vi.waitFor(() => {
        expect(chainOf(site)).toBeDefined();
        expect(chainOf(site)).not.toBe(before);
      }, patience);
      const renewed = chainOf(site);
      await anotherTurn();
      expect(chainOf(site)).toBe(renewed);
      const told = await shown(site);
      expect(Date.parse(told?.renewAt ?? '')).toBeGreaterThan(Date.now() + ahead);
    }
    // The authority's clock is right, and by ours what it signed is over.
    expect(await shown(site)).toMatchObject({ state: 'expired' });
    expect((await shown(site))?.steps.at(-1)?.detail).toMatch(/one of the two clocks is wrong$/);
    const last = chainOf(site);
    ahead = 0;
    await anotherTurn();
    expect(chainOf(site)).toBe(last);
    expect(await shown(site)).toMatchObject({ state: 'valid' });
  }, 240_000);

  it('are asked for again soon where it goes back a day, and not where it goes on two minutes', async () => {
    answers = false;
    const site = await addSite();
    await vi.waitFor(async () => expect((await shown(site))?.state).toBe('failed'), patience);
    const failed = await shown(site);
    ahead = 120_000;
    await anotherTurn();
    expect(await shown(site)).toEqual(failed);
    ahead = -dayMs;
    answers = true;
    await vi.waitFor(() => expect(chainOf(site)).toBeDefined(), patience);
  }, 240_000);
});
