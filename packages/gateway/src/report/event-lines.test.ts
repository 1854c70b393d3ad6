import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import type { SecurityEvent } from '@portcullis/contract/events';
import { describe, expect, test, vi } from 'vitest';
import { ask, CollectingSink, securityEvent, startGateway } from '../testing/index.ts';
import { EventLines, Outbox, Spool } from './index.ts';

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
  return {
    out,
    lines,
    // A line is taken once: a second time would break the stream.
    read: () => {
      const taken = read;
      read = undefined;
      taken?.();
    },
  };
}

function logOf() {
  const logged: string[] = [];
  const line = (message: string) => void logged.push(message);
  return { logged, log: { info: line, warn: line, error: line } };
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
    const told = new EventLines(out, logOf().log);
    const path = `/${'\u009b"\n\u202e'.repeat(500)}`;
    const match = { target: 'args:a', value: 'v'.repeat(2000), span: [0, 5], transformations: [] } as const;
    const matches = Array.from({ length: 32 }, () => match) as unknown as SecurityEvent['matches'];
    told.add(securityEvent({ matches }));
    read();
    told.add(securityEvent({ path, userAgent: path, message: path, matches, host: path.slice(0, 256) }));
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
    const told = new EventLines(out, logOf().log);
    for (let i = 0; i < 5011; i++) told.add(securityEvent({ requestId: String(i) }));
    expect(lines).toHaveLength(1);
    await vi.waitFor(() => {
      for (let i = 0; i < 100; i++) read();
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 'error', count: 10 });
    }, 10_000);
    expect(lines).toHaveLength(5002);
  });

  test('are given up where the reader is gone, which is said once', async () => {
    const out = new Writable({ write: (_line, _encoding, taken) => taken(new Error('EPIPE')) });
    const { log, logged } = logOf();
    const told = new EventLines(out, log);
    told.add(securityEvent());
    await vi.waitFor(() => expect(out.destroyed).toBe(true));
    expect(() => told.add(securityEvent())).not.toThrow();
    await told.close();
    expect(logged).toEqual(['Events cannot be written to the standard output (EPIPE)']);
    expect(told.problem).toBe(logged[0]);
  });

  test('are tried again where a disk was full, and what is missing is counted', async () => {
    const lines: string[] = [];
    let full = true;
    const disk = new Writable();
    // As the standard output does, it goes on after an error.
    disk.write = ((line: string, done: (error?: Error) => void) => {
      if (!full) lines.push(line);
      queueMicrotask(() => done(full ? Object.assign(new Error('no space'), { code: 'ENOSPC' }) : undefined));
      return true;
    }) as Writable['write'];
    const { log, logged } = logOf();
    const told = new EventLines(disk, log);
    for (let i = 0; i < 2; i++) {
      told.add(securityEvent());
      await vi.waitFor(() => expect(told.problem).toContain('no space'));
    }
    expect(logged).toHaveLength(1);
    full = false;
    told.add(securityEvent({ requestId: 'after' }));
    await told.close();
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ requestId: 'after' });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ kind: 'engine', count: 2 });
    expect(told.problem).toBeUndefined();
  });

  test('that wait are written before a gateway has stopped', async () => {
    const { out, lines, read } = reader();
    const told = new EventLines(out, logOf().log);
    for (let i = 0; i < 3; i++) told.add(securityEvent());
    const closed = told.close();
    await vi.waitFor(() => {
      read();
      expect(lines).toHaveLength(3);
    });
    read();
    await closed;
    expect(lines).toHaveLength(3);
  });

  test('are not held up by a service that does not answer, nor lost where the room for it is full', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-lines-'));
    const lines: string[] = [];
    const out = new Writable({
      decodeStrings: false,
      write(line: string, _encoding, taken) {
        lines.push(line);
        taken();
      },
    });
    const { log } = logOf();
    const sink = new CollectingSink();
    const asked = Promise.withResolvers<void>();
    sink.deliver = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const spool = new Spool({ folder, maxBytes: 1_000_000 });
    await spool.open();
    const outbox = new Outbox({ gatewayId: 'worker-1', sink, spool, log, lines: new EventLines(out, log) });
    outbox.add(securityEvent());
    void outbox.flush();
    await asked.promise;
    for (let i = 0; i < 10_500; i++) {
      outbox.add(securityEvent({ clientIp: String(i) }));
      if (i % 1000 === 0) {
        void outbox.flush();
        await vi.waitFor(() => expect(lines).toHaveLength(i + 2));
      }
    }
    void outbox.flush();
    await vi.waitFor(() => expect(lines).toHaveLength(10_501));
    rmSync(folder, { recursive: true, force: true });
  });
});
