import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  batch,
  openStream,
  type Reader,
  securityEvent,
  startService,
  type TestService,
} from '../testing/index.ts';

describe('the live log', () => {
  let service: TestService;
  let token: string;
  const readers: Reader[] = [];
  beforeEach(async () => {
    service = await startService();
    token = await service.signIn();
  });
  afterEach(async () => {
    for (const reader of readers.splice(0)) reader.close();
    await service.stop();
  });
  const open = async (query = '', headers: Record<string, string> = { authorization: `Bearer ${token}` }) => {
    const reader = await openStream(`${service.base}/api/logs/stream${query}`, headers);
    readers.push(reader);
    return reader;
  };
  const ticket = async () =>
    (await service.call('POST', '/api/auth/stream-ticket', undefined, token)).body.ticket;
  const report = (...events: ReturnType<typeof securityEvent>[]) =>
    service.service.controlPlane.accept(batch({ events }));

  it('opens with a ticket once, with the token for compatibility, and with neither not at all', async () => {
    const once = await ticket();
    expect((await open(`?token=${once}`, {})).status).toBe(200);
    expect((await open(`?token=${once}`, {})).status).toBe(401);
    expect((await open(`?token=${token}`, {})).status).toBe(200);
    expect((await open('', {})).status).toBe(401);
    expect((await open('?level=loud')).status).toBe(422);
    expect((await open('?level=all&siteId=')).status).toBe(200);
  });

  it('is refused or opened whatever it is asked with, and never fails', async () => {
    const odd = [
      '',
      '\u0000',
      "' or 1=1 --",
      '\u{1F98A}'.repeat(80),
      '../..',
      '1e999',
      '-1',
      'x'.repeat(3000),
    ];
    for (const name of ['siteId', 'level', 'token', 'lastEventId', 'x']) {
      for (const value of odd) {
        const reader = await open(`?${name}=${encodeURIComponent(value)}`);
        const { status } = reader;
        reader.close();
        await reader.ended;
        expect([name, value, [200, 401, 422].includes(status), status]).toEqual([name, value, true, status]);
      }
    }
    for (const id of ['nobody', '-', '-1', `x-${'9'.repeat(40)}`]) {
      const reader = await open('', { authorization: `Bearer ${token}`, 'last-event-id': id });
      await reader.next('gap');
      reader.close();
    }
    expect(service.logged.filter((line) => line.startsWith('A call failed'))).toEqual([]);
  });

  it('hands out what fits the filter', async () => {
    const all = await open();
    const warnings = await open('?level=warning&siteId=a');
    await warnings.next('ping');
    const fitting = securityEvent({ level: 'warning', siteId: 'a' });
    await report(securityEvent({ level: 'warning', siteId: 'b' }), securityEvent({ siteId: 'a' }), fitting);
    expect((await warnings.next('log')).data.id).toBe(fitting.id);
    for (let count = 0; count < 3; count++) await all.next('log');
    expect(warnings.waiting.filter(({ event }) => event === 'log')).toEqual([]);
  });

  it('goes on after the last entry that a reader has seen', async () => {
    const first = await open();
    await first.next('ping');
    const events = Array.from({ length: 3 }, () => securityEvent());
    await report(...events);
    const { id } = await first.next('log');
    first.close();
    const again = await open('', { authorization: `Bearer ${token}`, 'last-event-id': id ?? '' });
    expect((await again.next('log')).data.id).toBe(events[1]?.id);
    expect((await again.next('log')).data.id).toBe(events[2]?.id);
    const byQuery = await open(`?lastEventId=${id}`);
    expect((await byQuery.next('log')).data.id).toBe(events[1]?.id);
    for (const { waiting } of [again, byQuery])
      expect(waiting.map(({ event }) => event)).not.toContain('gap');
  });

  it('goes on after its opening for a reader who got nothing else', async () => {
    const first = await open();
    const { id } = await first.next('ping');
    first.close();
    const event = securityEvent();
    await report(event);
    const again = await open(`?lastEventId=${id}`);
    expect((await again.next('log')).data.id).toBe(event.id);
    expect(again.waiting.map(({ event }) => event)).not.toContain('gap');
  });

  it('says that there is a gap to a reader who comes back after another run of the service', async () => {
    const reader = await open('?lastEventId=other-1');
    await reader.next('gap');
    expect(reader.waiting.map(({ event }) => event)).not.toContain('log');
  });

  it('ends when its session does, telling the reader to come back', async () => {
    const reader = await open();
    await service.call('POST', '/api/auth/logout', undefined, token);
    await reader.next('reconnect');
    await reader.ended;
  });

  it('ends when the service stops', async () => {
    const reader = await open();
    await service.service.stop();
    await reader.ended;
    expect(reader.waiting.at(-1)?.event).toBe('reconnect');
  });

  it('has room for a user with many tabs, not for a client that runs wild', async () => {
    for (let count = 0; count < 10; count++) expect((await open()).status).toBe(200);
    expect((await open()).status).toBe(429);
    readers[0]?.close();
    await readers[0]?.ended;
    let status = 429;
    for (let tries = 0; status === 429 && tries < 50; tries++) ({ status } = await open());
    expect(status).toBe(200);
  });

  it('asks gateways for samples of plain passes only while somebody reads them', async () => {
    const said: boolean[] = [];
    const changed = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = service.service.controlPlane.subscribe((directive) => {
        if (directive.type !== 'watch') return;
        said.push(directive.active);
        end();
        resolve();
      });
      return promise;
    };
    const began = changed();
    await open('?level=warning');
    const debug = await open('?level=debug');
    await began;
    service.service.controlPlane.acceptSightings([securityEvent({ level: 'debug', decision: 'pass' })]);
    expect((await debug.next('log')).data.action).toBe('logged');
    const over = changed();
    debug.close();
    await over;
    expect(said).toEqual([true, false]);
    expect((await service.call('GET', '/api/audit?level=debug', undefined, token)).body).toEqual([]);
  });
});

describe('the system figures', () => {
  it('come as a stream, at once and then every two seconds', async () => {
    const service = await startService();
    const token = await service.signIn();
    const url = `${service.base}/api/metrics/system/stream`;
    expect((await openStream(url)).status).toBe(401);
    const stream = await openStream(`${url}?token=${token}`);
    const first = await stream.next('metrics');
    const second = await stream.next('metrics');
    expect(first.data).toMatchObject({ cpu_usage: expect.any(Number), memory_total: expect.any(Number) });
    const third = await stream.next('metrics');
    const times = [first, second, third].map(({ data }) => Date.parse(data.timestamp));
    // Read anew each time, which takes a while of its own.
    expect(times[2]! - times[1]!).toBeGreaterThan(1500);
    expect(times[1]! - times[0]!).toBeGreaterThan(0);
    await service.call('POST', '/api/auth/logout', undefined, token);
    await stream.ended;
    expect(
      (await service.call('GET', '/api/monitoring/alerts', undefined, await service.signIn())).status,
    ).toBe(200);
    await service.stop();
  });
});
