import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SecurityEvent } from '@portcullis/contract/events';
import { afterEach, describe, expect, test } from 'vitest';
import { CollectingSink, securityEvent } from '../testing/index.ts';
import { Outbox, Spool } from './index.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

let lastId = 0;
const event = (fields: Partial<SecurityEvent> = {}) =>
  securityEvent({ id: `event-${++lastId}`, requestId: `request-${lastId}`, siteId: 'shop', ...fields });

async function start(maxBytes = 1_000_000) {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-spool-'));
  folders.push(folder);
  const sink = new CollectingSink();
  const logged: string[] = [];
  const line = (message: string) => void logged.push(message);
  const open = async () => {
    const spool = new Spool({ folder, maxBytes });
    await spool.open();
    return {
      spool,
      outbox: new Outbox({
        gatewayId: 'worker-1',
        sink,
        spool,
        log: { info: line, warn: line, error: line },
      }),
    };
  };
  return { folder, sink, logged, open, ...(await open()) };
}

describe('the outbox', () => {
  test('tells a flood of one client against one rule as a few entries with a count', async () => {
    const { outbox, sink } = await start();
    for (let i = 0; i < 1000; i++) outbox.add(event({ ruleId: 'sql-union' }));
    outbox.add(event({ ruleId: 'sql-union', clientIp: '192.0.2.2' }));
    await outbox.flush();
    expect(sink.events).toHaveLength(11);
    expect(sink.events.reduce((sum, one) => sum + one.count, 0)).toBe(1001);
  });

  test('keeps order and delivers each batch once when the service returns after a crash of the gateway', async () => {
    const { outbox, sink, open, folder } = await start();
    sink.away = true;
    for (const name of ['/1', '/2', '/3']) {
      outbox.add(event({ path: name }));
      await outbox.flush();
    }
    // Nothing was closed: what is on disk is what a kill -9 leaves.
    expect(readdirSync(folder)).toHaveLength(3);
    const reborn = await open();
    sink.away = false;
    await reborn.outbox.flush();
    expect(sink.events.map((one) => one.path)).toEqual(['/1', '/2', '/3']);
    expect(readdirSync(folder)).toEqual([]);
    expect(reborn.spool.bytes).toBe(0);
  });

  test('counts what the byte cap pushes out, the oldest first', async () => {
    const { outbox, sink, logged } = await start(1500);
    sink.away = true;
    for (const name of ['/1', '/2', '/3', '/4', '/5', '/6']) {
      outbox.add(event({ path: name }));
      await outbox.flush();
    }
    sink.away = false;
    await outbox.flush();
    await outbox.flush();
    const told = sink.events.filter(({ kind }) => kind === 'detection').map((one) => one.path);
    const dropped = [...sink.batches.values()].reduce((sum, batch) => sum + batch.dropped, 0);
    expect(told.at(-1)).toBe('/6');
    expect(told).not.toContain('/1');
    expect(told.length + dropped).toBe(6);
    expect(logged).toContain('Events are delivered again');
  });

  test('a batch that cannot be read any more is counted and holds up nobody', async () => {
    const { open, folder, sink } = await start();
    writeFileSync(path.join(folder, '000000000000-7-broken.json'), '{"id": "bro');
    const { outbox } = await open();
    outbox.add(event({ path: '/after' }));
    await outbox.flush();
    outbox.add(event({ path: '/later' }));
    await outbox.flush();
    expect(sink.events.map((one) => one.path || one.message.slice(0, 17))).toEqual([
      '/after',
      '/later',
      '7 events were los',
    ]);
    expect([...sink.batches.values()].reduce((sum, batch) => sum + batch.dropped, 0)).toBe(7);
  });

  test('keeps events in memory while the disk refuses them', async () => {
    const { outbox, sink, folder, logged } = await start();
    sink.away = true;
    rmSync(folder, { recursive: true });
    outbox.add(event({ path: '/kept' }));
    await outbox.flush();
    await outbox.flush();
    expect(logged.filter((line) => line.includes('cannot be kept on disk'))).toHaveLength(1);
    expect(outbox.problem).toContain('ENOENT');
    sink.away = false;
    await outbox.flush();
    // Who is cut off cannot report its problem, and may have none any more once it can: so it is an event as well.
    expect(sink.events.map((one) => one.path || one.message.slice(0, 45)).sort()).toEqual([
      '/kept',
      'Events that wait for the service cannot be ke',
    ]);
    expect(outbox.problem).toContain('ENOENT');
    mkdirSync(folder);
    await outbox.flush();
    expect(outbox.problem).toBeUndefined();
  });

  test('removes the halves of batches that a crash left', async () => {
    const { outbox, sink, open, folder } = await start();
    sink.away = true;
    writeFileSync(path.join(folder, '000000000007-1-left.json.part'), '{"id": "le');
    const { spool } = await open();
    outbox.add(event({ path: '/kept' }));
    await outbox.flush();
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(spool.isEmpty).toBe(true);
  });

  test('says how many events were lost where the others are read', async () => {
    const { outbox, sink, folder } = await start();
    sink.away = true;
    rmSync(folder, { recursive: true });
    for (let i = 0; i < 10_050; i++) outbox.add(event({ clientIp: `2001:db8::${i.toString(16)}` }));
    await outbox.flush();
    sink.away = false;
    await outbox.flush();
    expect(sink.events).toHaveLength(10_001);
    const own = sink.events.filter(({ kind }) => kind === 'engine').map(({ message }) => message);
    expect(own).toEqual([
      // 50 of these, and one whose place the sentence below took.
      expect.stringMatching(/^51 events were lost/),
      expect.stringMatching(/cannot be kept on disk/),
    ]);
  });
});
