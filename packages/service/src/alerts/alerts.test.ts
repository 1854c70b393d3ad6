import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestStorage, testDialects } from '../storage/testing/index.ts';
import { AlertKeeper, conditionsOf, listAlerts, storable, UnstoredAlerts } from './index.ts';

const sample = (cpu: number, memory: number, disk: number) => ({
  cpu_usage: cpu,
  memory_usage: memory,
  disk_usage: disk,
  memory_used: 0,
  memory_total: 1,
  disk_used: 0,
  disk_total: 1,
  network_in: 0,
  network_out: 0,
});
const site = (id: string, enabled = true) => ({ id, name: id, enabled });

describe('conditions', () => {
  it('hold above the thresholds of the specification, not at them', () => {
    const of = (...figures: [number, number, number]) =>
      conditionsOf({ sample: sample(...figures), sites: [], healthy: () => undefined });
    expect(of(80, 85, 90)).toEqual([]);
    expect(of(80.6, 85.5, 91)).toEqual([
      { key: 'memory', type: 'warning', message: 'High memory usage: 86%' },
      { key: 'cpu', type: 'critical', message: 'High CPU usage: 81%' },
      { key: 'disk', type: 'critical', message: 'High disk usage: 91%' },
    ]);
  });

  it('hold for an enabled site that is down, not for one that nobody checks', () => {
    const sites = [site('down'), site('off', false), site('unknown'), site('up')];
    const healthy = (id: string) => ({ down: false, off: false, up: true })[id];
    expect(conditionsOf({ sample: undefined, sites, healthy })).toEqual([
      { key: 'site_down:down', type: 'critical', message: 'Site down is down', siteId: 'down' },
    ]);
  });

  it('hold for what a gateway asks an operator for', () => {
    const warnings = [{ code: 'problem', text: 'Events cannot be kept on disk' }];
    const fleet = [{ id: 'gateway-2', warnings }];
    expect(conditionsOf({ sample: undefined, sites: [], healthy: () => undefined, fleet })).toMatchObject([
      { type: 'critical', message: 'gateway-2: Events cannot be kept on disk' },
    ]);
  });
});

describe('a database that takes nothing', () => {
  it('is not told in it once it takes that, and keeps nothing else from being told', () => {
    const full = 'The database takes nothing (database or disk is full)';
    const warnings = [full, 'The disk is full'].map((text) => ({ code: 'problem', text }));
    const fleet = [{ id: 'service', warnings }];
    const all = conditionsOf({ sample: undefined, sites: [], healthy: () => undefined, fleet });
    expect(storable(all, full).map(({ message }) => message)).toEqual(['service: The disk is full']);
    expect(storable(all, undefined)).toEqual(all);
  });
});

describe('the alert of a gateway or service', () => {
  const told = (code: string, text: string) => {
    const fleet = [{ id: 'edge-a.gateway-1', warnings: [{ code, text }] }];
    return conditionsOf({ sample: undefined, sites: [], healthy: () => undefined, fleet })[0];
  };

  it.each([
    ['absent', 'critical'],
    ['refused', 'critical'],
    ['link', 'critical'],
    ['behind', 'warning'],
    ['clock', 'warning'],
    ['spool', 'warning'],
    ['restarts', 'warning'],
    ['ended', 'warning'],
  ])('that is %s is %s', (code, type) => {
    expect(told(code, 'It is so')).toMatchObject({ type, message: 'edge-a.gateway-1: It is so' });
  });

  it('stays one while its words change, and is one for each problem', () => {
    expect(told('absent', 'Not heard of for 12 s')?.key).toBe(told('absent', 'Not heard of for 13 s')?.key);
    expect(told('problem', 'The disk is full')?.key).not.toBe(told('problem', 'Redis is away')?.key);
  });
});

for (const dialect of testDialects()) {
  const title = `alerts on ${dialect.name}${dialect.missing ? ` (${dialect.missing})` : ''}`;
  describe.skipIf(dialect.missing !== undefined)(title, () => {
    let storage: TestStorage;
    let clock = 0;
    beforeEach(async () => {
      storage = await dialect.open();
      clock = 0;
    });
    afterEach(() => storage.close());
    afterAll(() => dialect.stop());
    const high = { key: 'cpu', type: 'critical', message: 'High CPU usage: 99%' } as const;
    const look = async (keeper: AlertKeeper, ...pattern: boolean[]) => {
      for (const holds of pattern) {
        clock += 2000;
        await keeper.look(holds ? [high] : []);
      }
    };
    const states = async () => (await listAlerts(storage.read, 10)).map(({ status }) => status);

    it('begin and end with three looks in a row, so that a peak is none', async () => {
      const keeper = new AlertKeeper(storage, () => clock);
      await look(keeper, true, true, false, true, true);
      expect(await states()).toEqual([]);
      await look(keeper, true);
      expect(await states()).toEqual(['active']);
      await look(keeper, false, false, true, true, false, false);
      expect(await states()).toEqual(['active']);
      await look(keeper, false);
      const [alert] = await listAlerts(storage.read, 10);
      expect(alert).toMatchObject({
        status: 'resolved',
        message: high.message,
        timestamp: '1970-01-01T00:00:12.000Z',
        endedAt: '1970-01-01T00:00:26.000Z',
      });
    });

    it('are one where a figure swings about its threshold, and end once it is clearly below', async () => {
      const keeper = new AlertKeeper(storage, () => clock);
      const at = async (cpu: number) => {
        for (let looks = 0; looks < 3; looks += 1) {
          clock += 2000;
          const surroundings = { sample: sample(cpu, 0, 0), sites: [], healthy: () => undefined };
          await keeper.look(conditionsOf({ ...surroundings, lasting: keeper.lasting() }));
        }
      };
      for (const cpu of [79, 81, 79, 81, 76]) await at(cpu);
      expect(await states()).toEqual(['active']);
      for (const cpu of [75, 79]) await at(cpu);
      expect(await states()).toEqual(['resolved']);
    });

    it('go on over a restart, and stand before those that are over', async () => {
      await look(new AlertKeeper(storage, () => clock), true, true, true);
      const keeper = new AlertKeeper(storage, () => clock);
      await look(keeper, true, true, true);
      expect(await states()).toEqual(['active']);
      await look(keeper, false, false, false, true, true, true);
      expect(await states()).toEqual(['active', 'resolved']);
    });

    it('are shown once each where some could not be stored', async () => {
      await look(new AlertKeeper(storage, () => clock), true, true, true);
      const full = { key: 'full', type: 'critical', message: 'service: The disk is full' } as const;
      const unstored = new UnstoredAlerts();
      const messages = async () =>
        (await listAlerts(storage.read, 10, unstored)).map(({ message }) => message);
      for (const at of [1000, 2000]) unstored.look([high, full], at);
      expect(await messages()).toEqual([high.message]);
      unstored.look([high, full], 3000);
      const [shown, ...stored] = await listAlerts(storage.read, 10, unstored);
      expect(shown).toMatchObject({
        ...{ message: full.message, status: 'active' },
        timestamp: '1970-01-01T00:00:01.000Z',
      });
      expect((await listAlerts(storage.read, 10, unstored))[0]?.id).toBe(shown?.id);
      expect(stored).toHaveLength(1);
      unstored.look([high], 4000);
      expect(await messages()).toEqual([high.message]);
    });
  });
}
