import { fleetLimits } from '@portcullis/contract/fleet';
import { type GatewayReport, ownLink, type Peers, type ServiceReport } from '@portcullis/contract/link';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type TestDialect, type TestStorage, testDialects } from '../storage/testing/index.ts';
import { gatewayReport } from '../testing/gateway-report.ts';
import { createFleetWatch, type FleetWatch } from './index.ts';

const report = (fields: Partial<GatewayReport> = {}) =>
  gatewayReport({ gatewayId: 'edge-a.gateway-1', configVersion: 7, ...fields });

const otherService = (fields: Partial<ServiceReport> = {}): ServiceReport => ({
  ...{ serviceId: 'other.service', host: 'other', productVersion: '0.2.0', ...ownLink },
  ...{ startedAt: '2026-01-01T00:00:00.000Z', time: Date.now(), configVersion: 7, onDuty: false },
  ...{ memoryBytes: 1, cpuPercent: 1, ...fields },
});

const [sqlite, postgres] = testDialects();

/** Services over a database of a test's own, whose clock the test sets. */
function fleetOver(dialect: TestDialect | undefined) {
  let storage: TestStorage | undefined;
  let aheadMs = 0;
  const watches: FleetWatch[] = [];
  const link = { hearing: true };
  const now = () => Date.now() + aheadMs;
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const peers: Peers = {
    get hearing() {
      return link.hearing;
    },
    tell: () => {},
    subscribe: () => () => {},
  };
  afterEach(async () => {
    for (const made of watches.splice(0)) await made.stop();
    await storage?.close();
    storage = undefined;
    aheadMs = 0;
    link.hearing = true;
  });
  afterAll(() => dialect?.stop());
  return {
    link,
    now,
    later(ms: number) {
      aheadMs += ms;
    },
    async watch(id = 'node.service', onDuty = true) {
      storage ??= await dialect?.open();
      if (!storage) throw new Error('no database');
      const configuration = { current: () => ({ version: 7 }) };
      const identity = { id, host: 'node', productVersion: '0.1.0' };
      const clock = { reason: undefined };
      const parts = { storage, log, now, clock, duty: { held: onDuty }, configuration, identity };
      const made = createFleetWatch(parts, peers);
      await made.start();
      watches.push(made);
      return made;
    },
  };
}

const of = (fleet: FleetWatch, id = 'edge-a.gateway-1') => fleet.list().members.find((one) => one.id === id);
const codes = (fleet: FleetWatch, id?: string) => of(fleet, id)?.warnings.map(({ code }) => code);

describe('the fleet', () => {
  const { link, now, later, watch } = fleetOver(sqlite);

  it('shows who speaks, services first, and finds nothing wrong with them', async () => {
    const fleet = await watch();
    fleet.hearGateway(report({ host: 'edge-a', httpPort: 8080, time: now(), ...ownLink }));
    expect(fleet.list()).toMatchObject({
      configVersion: 7,
      members: [
        { id: 'node.service', kind: 'service', host: 'node', onDuty: true, configVersion: 7, warnings: [] },
        {
          ...{
            id: 'edge-a.gateway-1',
            kind: 'gateway',
            host: 'edge-a',
            state: 'present',
            behindBy: 0,
            httpPort: 8080,
          },
          ...{ requestsPerSecond: 10, warnings: [] },
        },
      ],
    });
  });

  it('misses who falls silent, also after a restart, and forgets it after a day', async () => {
    const first = await watch();
    first.hearGateway(report());
    first.hearGateway(report({ gatewayId: 'edge-a.gateway-2' }));
    first.hearGateway(report({ gatewayId: 'edge-a.gateway-2', leaving: true }));
    await first.stop();
    later(60_000);
    const fleet = await watch();
    // Who has just begun to listen gives everybody the time to speak.
    expect(of(fleet)?.state).toBe('present');
    later(fleetLimits.absentAfterMs + 1000);
    expect(of(fleet)).toMatchObject({ state: 'absent', warnings: [{ code: 'absent' }] });
    expect(of(fleet)?.warnings[0]?.text).toMatch(/^Not heard of for 7[01] s$/);
    expect(of(fleet, 'edge-a.gateway-2')).toMatchObject({ state: 'stopped', warnings: [] });
    later(fleetLimits.stoppedForgottenMs);
    expect(of(fleet, 'edge-a.gateway-2')).toBeUndefined();
    later(fleetLimits.absentForgottenMs);
    expect(of(fleet)).toBeUndefined();
  });

  it('misses who falls silent where the clock is set back, and believes what is said then', async () => {
    const first = await watch();
    first.hearGateway(report({ configVersion: 6 }));
    await first.stop();
    later(-86_400_000);
    const fleet = await watch();
    expect(of(fleet)).toMatchObject({ state: 'present', configVersion: 6 });
    later(fleetLimits.absentAfterMs + 1000);
    expect(codes(fleet)).toEqual(['absent']);
    fleet.hearGateway(report());
    await fleet.stop();
    const next = await watch();
    expect(of(next)).toMatchObject({ state: 'present', configVersion: 7, warnings: [] });
  });

  it('calls nobody absent while nothing can be heard, and says so of itself', async () => {
    const fleet = await watch();
    fleet.hearGateway(report());
    link.hearing = false;
    later(60_000);
    expect(codes(fleet)).toEqual([]);
    link.hearing = true;
    fleet.list();
    later(fleetLimits.absentAfterMs + 1000);
    expect(codes(fleet)).toEqual(['absent']);
    link.hearing = false;
    const deaf = await watch('deaf.service');
    // Whose connection is still being made is no news.
    expect(of(deaf, 'deaf.service')?.warnings).toEqual([]);
    later(6000);
    expect(of(deaf, 'deaf.service')?.warnings).toMatchObject([
      { code: 'problem', text: expect.stringContaining('Redis is away') },
    ]);
  });

  it('warns of what lags, refuses, waits, shares a name or has another time', async () => {
    const fleet = await watch();
    fleet.hearGateway(report({ configVersion: 6 }));
    expect(of(fleet)).toMatchObject({ behindBy: 1, warnings: [] });
    later(fleetLimits.behindAfterMs + 1000);
    fleet.hearGateway(
      report({ configVersion: 6, time: now() - 120_000, spoolBytes: 5e6, spoolOldestMs: 40_000 }),
    );
    expect(of(fleet)?.warnings.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Serves by configuration 6 for 11 s; the newest is 7$/),
      expect.stringMatching(/^Its clock is (119|12[01]|2) (s|min) behind$/),
      '4.8 MB of events wait on its disk, the oldest for 40 s',
    ]);
    fleet.hearGateway(report({ configVersion: 6, refused: { version: 7, reason: 'no such rule' } }));
    expect(codes(fleet)).toEqual(['refused']);
    // Started anew by a clock that is behind: it is the same one.
    fleet.hearGateway(report({ leaving: true }));
    fleet.hearGateway(report({ startedAt: '2025-12-31T00:00:00.000Z' }));
    expect(codes(fleet)).toEqual([]);
    fleet.hearGateway(report());
    expect(codes(fleet)).toEqual(['name']);
  });

  it('tells for a while of who ends without a word and is started again, and how often', async () => {
    const fleet = await watch();
    const told = () => of(fleet)?.warnings.map(({ text }) => text);
    fleet.hearGateway(report());
    const again = (minute: number) => report({ startedAt: `2026-01-01T00:0${minute}:00.000Z` });
    later(60_000);
    fleet.hearGateway(again(1));
    expect(told()).toEqual([expect.stringMatching(/^Ended without a word \d+ s ago and was started again$/)]);
    later(60_000);
    fleet.hearGateway(again(2));
    expect(told()).toEqual([expect.stringMatching(/ started again; 2 times in 10 min$/)]);
    expect(codes(fleet)).toEqual(['ended']);
    later(1000);
    fleet.hearGateway(again(3));
    expect(told()).toEqual([expect.stringMatching(/ started again; 3 times in 10 min$/)]);
    expect(codes(fleet)).toEqual(['restarts']);
    later(fleetLimits.endedToldMs - 1000);
    fleet.hearGateway(again(3));
    expect(codes(fleet)).toEqual(['ended']);
    expect(told()).toEqual([
      expect.stringMatching(/^Ended without a word 10 min ago and was started again$/),
    ]);
    later(2000);
    fleet.hearGateway(again(3));
    expect(told()).toEqual([]);
  });

  it('calls no clock wrong for words that were long under way', async () => {
    const fleet = await watch();
    fleet.hearGateway(report({ time: now() }));
    for (let word = 5; word > 0; word -= 1) fleet.hearGateway(report({ time: now() - 35_000 - word }));
    expect(codes(fleet)).toEqual([]);
    fleet.hearGateway(report({ time: now() }));
    expect(of(fleet)?.clockOffsetMs).toBeGreaterThan(-1000);
    // What goes on is the clock.
    for (let word = 0; word < 10; word += 1) fleet.hearGateway(report({ time: now() - 120_000 }));
    expect(codes(fleet)).toEqual(['clock']);
    // One that was days ahead and is put right is right at once.
    fleet.hearGateway(report({ time: now() + 86_400_000 }));
    expect(codes(fleet)).toEqual(['clock']);
    fleet.hearGateway(report({ time: now() }));
    expect(codes(fleet)).toEqual([]);
  });

  it('takes the newest configuration that any service has as the newest', async () => {
    const fleet = await watch();
    fleet.hearService(otherService({ configVersion: 9 }));
    fleet.hearGateway(report({ configVersion: 8 }));
    expect(fleet.list()).toMatchObject({ configVersion: 9 });
    expect(of(fleet)).toMatchObject({ behindBy: 1 });
  });

  it('has one on duty, who said so last, and nobody where that one is gone', async () => {
    const fleet = await watch('node.service', false);
    const onDuty = () => fleet.list().members.flatMap((one) => (one.onDuty ? [one.id] : []));
    fleet.hearService(otherService({ onDuty: true }));
    later(8000);
    fleet.hearService(otherService({ serviceId: 'third.service', onDuty: true }));
    expect(onDuty()).toEqual(['third.service']);
    later(fleetLimits.absentAfterMs + 1000);
    expect(of(fleet, 'third.service')?.state).toBe('absent');
    expect(onDuty()).toEqual([]);
    fleet.hearService(otherService({ onDuty: true }));
    expect(onDuty()).toEqual(['other.service']);
    fleet.hearService(otherService({ onDuty: true, leaving: true }));
    expect(onDuty()).toEqual([]);
  });

  it('says who speaks another version of the link, and which end to bring up to date', async () => {
    const fleet = await watch();
    const next = { linkVersion: ownLink.linkVersion + 1, linkCompatibleFrom: ownLink.linkVersion + 1 };
    fleet.hearGateway(report(next));
    expect(of(fleet)?.warnings).toMatchObject([
      { code: 'link', text: expect.stringContaining('bring this end up to date') },
    ]);
    fleet.hearGateway(report({ ...next, linkCompatibleFrom: ownLink.linkVersion }));
    expect(of(fleet)).toMatchObject({ linkVersion: ownLink.linkVersion + 1, warnings: [] });
  });
});

const missing = postgres?.missing;
describe.skipIf(missing)(`the fleet of several services${missing ? ` (${missing})` : ''}`, () => {
  const { now, later, watch } = fleetOver(postgres);

  it('tells a service that hears nobody what another one has stored', async () => {
    const onDuty = await watch();
    onDuty.hearGateway(report());
    await onDuty.stop();
    const other = await watch('other.service', false);
    expect(other.list().members.map(({ id, state }) => [id, state])).toEqual([
      ['node.service', 'stopped'],
      ['other.service', 'present'],
      ['edge-a.gateway-1', 'present'],
    ]);
  });

  it('calls that one off whose clock differs from the database, whoever is asked', async () => {
    const right = await watch();
    right.hearGateway(report({ time: now() }));
    later(120_000);
    const wrong = await watch('wrong.service', false);
    wrong.hearGateway(report({ time: now() - 120_000 }));
    expect(codes(wrong)).toEqual([]);
    expect(of(wrong, 'wrong.service')?.warnings).toMatchObject([
      { code: 'clock', text: expect.stringMatching(/ahead$/) },
    ]);
  });
});
