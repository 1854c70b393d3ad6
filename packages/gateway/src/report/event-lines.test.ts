import { Writable } from 'node:stream';
import type { SecurityEvent } from '@portcullis/contract/events';
import { describe, expect, test, vi } from 'vitest';
import { ask, CollectingSink, startGateway } from '../testing/index.ts';
import { EventLines } from './event-lines.ts';

const event = (fields: Partial<SecurityEvent> = {}): SecurityEvent => ({
  id: 'event',
  requestId: 'request',
  time: 1_800_000_000_000,
  gatewayId: 'worker-1',
  kind: 'detection',
  level: 'error',
  decision: 'block',
  method: 'GET',
  host: 'shop.example.com',
  path: '/',
  status: 403,
  clientIp: '192.0.2.1',
  userAgent: '',
  message: 'Blocked',
  matches: [],
  count: 1,
  ...fields,
});

/** Somebody who reads only when told to. */
function reader() {
  const lines: string[] = [];
  let read: (() => void) | undefined;
  const out = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, taken) {
      lines.push(line);
      read = taken;
    },
  });
  return { out, lines, read: () => read?.() };
}

describe('events as lines', () => {
  test('are on the stream once each, also while the service is away, with the count of a flood', async () => {
    const { out, lines, read } = reader();
    const sink = new CollectingSink();
    sink.away = true;
    await using gateway = await startGateway({ sites: [{}] }, { sink, eventLines: out });
    const attack = "/?id=1'%20UNION%20SELECT%20password%20FROM%20users--";
    await Promise.all(Array.from({ length: 30 }, () => ask(gateway.port, attack)));
    await vi.waitFor(
      () => {
        read();
        const told = lines.map((line) => JSON.parse(line));
        expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(30);
        expect(told[0]).toMatchObject({
          kind: 'detection',
          decision: 'block',
          time: expect.stringMatching(/Z$/),
        });
      },
      { timeout: 5000 },
    );
    expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(lines.length);
  });

  test('are whole writes of plain characters that a pipe takes at once, however much was sent', () => {
    const { out, lines, read } = reader();
    const told = new EventLines(out);
    const path = `/${'\u009b"\n\u202e'.repeat(500)}`;
    const match = { target: 'args:a', value: 'v'.repeat(2000), span: [0, 5], transformations: [] } as const;
    const matches = Array.from({ length: 32 }, () => match) as unknown as SecurityEvent['matches'];
    told.add(event({ matches }));
    read();
    told.add(event({ path, userAgent: path, message: path, matches, host: path.slice(0, 256) }));
    return vi.waitFor(() => {
      expect(lines).toHaveLength(2);
      for (const line of lines) {
        expect(line.length).toBeLessThanOrEqual(4096);
        expect(line).toMatch(/^[\x20-\x7e]+\n$/);
        expect(JSON.parse(line)).toMatchObject({ requestId: 'request', decision: 'block' });
      }
      expect(JSON.parse(lines[0] ?? '').matches).toHaveLength(1);
    });
  });

  test('that nobody reads are dropped beyond a bound, and counted for who reads later', async () => {
    const { out, lines, read } = reader();
    const told = new EventLines(out);
    for (let i = 0; i < 5011; i++) told.add(event({ requestId: String(i) }));
    expect(lines).toHaveLength(1);
    await vi.waitFor(() => {
      for (let i = 0; i < 100; i++) read();
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'error', count: 10 });
    }, 10_000);
    expect(lines).toHaveLength(5002);
  });

  test('are given up where the reader is gone', async () => {
    const out = new Writable({ write: (_line, _encoding, taken) => taken(new Error('EPIPE')) });
    const told = new EventLines(out);
    told.add(event());
    await vi.waitFor(() => expect(out.destroyed).toBe(true));
    expect(() => told.add(event())).not.toThrow();
  });
});
