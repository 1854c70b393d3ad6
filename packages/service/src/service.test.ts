import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createService, StartError } from './index.ts';
import { openStorage } from './storage/index.ts';
import {
  adminEmail,
  batch,
  counters,
  openStream,
  securityEvent,
  startService,
  type TestService,
} from './testing/index.ts';

const site = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' };

describe('a service', () => {
  const started: TestService[] = [];
  const start = async (options?: Parameters<typeof startService>[0]) => {
    const service = await startService(options);
    started.push(service);
    return service;
  };
  afterEach(async () => {
    for (const service of started.splice(0)) await service.stop();
  });

  it('is set up by its link once, and then signs in by password', async () => {
    const { call, setupLink, signIn } = await start({ bootstrapAdmin: undefined });
    const token = new URL(setupLink ?? '').hash.replace('#token=', '');
    expect((await call('GET', '/api/setup')).body).toEqual({ required: true });
    const weak = await call('POST', '/api/setup', { token, email: adminEmail, password: 'weak' });
    expect([weak.status, weak.body.code]).toEqual([422, 'password_too_weak']);
    expect(weak.body.issues.length).toBe(4);
    const made = await call('POST', '/api/setup', { token, email: adminEmail, password: 'Correct-horse-7!' });
    expect(made.body.user).toMatchObject({ email: adminEmail, role: 'admin' });
    expect((await call('GET', '/api/setup')).body).toEqual({ required: false });
    const again = await call('POST', '/api/setup', {
      token,
      email: 'b@example.com',
      password: 'Correct-horse-7!',
    });
    expect(again.status).toBe(409);
    const session = await signIn();
    expect((await call('GET', '/api/auth/me', undefined, session)).body.user.email).toBe(adminEmail);
  });

  it('gives the gateways a new snapshot within the call that adds a site, and after a restart', async () => {
    const first = await start();
    const token = await first.signIn();
    const versions: number[] = [];
    first.service.controlPlane.subscribe((directive) => {
      if (directive.type === 'snapshot') versions.push(directive.snapshot.version);
    });
    const made = await first.call('POST', '/api/sites', site, token);
    expect(made.status).toBe(200);
    expect(versions).toEqual([2]);
    const counted = counters({ siteId: made.body.id, requests: 12, blocked: 3 });
    await first.service.controlPlane.accept(batch({ counters: [counted] }));
    const { dataDir } = first;
    await first.service.stop();
    const second = await start({ dataDir });
    // All-time totals go on over the restart; uptime is this process's own.
    const metrics = (await second.call('GET', '/api/metrics', undefined, await second.signIn())).body;
    expect(metrics).toMatchObject({
      totalRequests: 12,
      blockedRequests: 3,
      sites: [{ requests: 12, blocked: 3 }],
    });
    expect(metrics.uptime).toBeLessThan(60);
    const [directive] = second.service.controlPlane.current();
    expect(directive).toMatchObject({
      type: 'snapshot',
      snapshot: { version: 2, sites: [{ id: made.body.id, name: 'Shop' }] },
    });
  });

  it('shows a block in the live log within a second, in the audit list and in the figures', async () => {
    const { base, call, signIn, service } = await start();
    const token = await signIn();
    const { id: siteId } = (await call('POST', '/api/sites', site, token)).body;
    const { ticket } = (await call('POST', '/api/auth/stream-ticket', undefined, token)).body;
    const stream = await openStream(`${base}/logs/stream?level=error&token=${ticket}`);
    await stream.next('ping');
    const began = performance.now();
    const given = batch({
      events: [securityEvent({ siteId })],
      counters: [counters({ siteId, requests: 3, blocked: 1, statuses: [0, 2, 0, 1, 0], durationMs: 30.5 })],
    });
    expect(await service.controlPlane.accept(given)).toEqual({ delivered: true });
    expect(await service.controlPlane.accept(given)).toEqual({ delivered: true });
    const shown = await stream.next('log');
    expect(performance.now() - began).toBeLessThan(1000);
    expect(shown.data).toMatchObject({ action: 'blocked', siteName: 'Shop', threat: 'sql_injection' });
    stream.close();
    const listed = await call('GET', '/api/audit?limit=20&action=blocked,challenged', undefined, token);
    expect(listed.body).toHaveLength(1);
    const metrics = (await call('GET', '/api/metrics', undefined, token)).body;
    expect(metrics).toMatchObject({
      totalRequests: 3,
      blockedRequests: 1,
      sites: [{ requests: 3, blocked: 1 }],
    });
    const threats = await call('GET', `/api/metrics?type=threats&siteId=${siteId}`, undefined, token);
    expect(threats.body).toEqual([{ type: 'sql_injection', action: 'blocked' }]);
    const { hourly } = (await call('GET', '/api/monitoring/traffic/hourly', undefined, token)).body;
    expect(hourly).toHaveLength(24);
    expect(hourly.at(-1)).toMatchObject({ requests: 3, blocked: 1 });
  });

  it('tells of what the last calls before its end changed', async () => {
    const first = await start();
    const token = await first.signIn();
    const email = { enabled: true, address: 'a@example.com', transport: 'smtp', smtpHost: '127.0.0.1' };
    const sender = { smtpPort: 1, smtpSecurity: 'none', senderEmail: 'b@example.com' };
    const settings = { email: { ...email, ...sender }, notifications: { notifyOnUserChanges: true } };
    await first.call('PUT', '/api/notifications/settings', settings, token);
    const last = Array.from({ length: 8 }, (_, number) => {
      const body = JSON.stringify({
        email: `user${number}@example.com`,
        password: 'Correct-horse-7!',
        role: 'viewer',
      });
      const call = request(`${first.base}/api/users`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${token}`, expect: '100-continue' },
          ...{ 'content-type': 'application/json', 'content-length': body.length },
        },
      });
      call.flushHeaders();
      return { call, body };
    });
    await Promise.all(last.map(({ call }) => once(call, 'continue')));
    const stopped = first.service.stop();
    for (const { call, body } of last) call.end(body);
    const answers = (await Promise.all(last.map(({ call }) => once(call, 'response')))) as [
      IncomingMessage,
    ][];
    expect(answers.map(([answer]) => answer.resume().statusCode)).toEqual(Array(8).fill(200));
    await stopped;
    const storage = await openStorage({ dataDir: first.dataDir });
    const told = await storage.read.selectFrom('notifications').select('occurrences').execute();
    await storage.close();
    expect(told.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(8);
  });

  it('names cause and mend when its port is taken', async () => {
    const { base, dataDir } = await start();
    const adminPort = Number(new URL(base).port);
    const second = createService({
      dataDir: `${dataDir}/second`,
      adminHost: '127.0.0.1',
      adminPort,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      productVersion: '0.0.0',
    });
    const error = await second.start().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StartError);
    expect(error.message).toContain(`port ${adminPort}: another program already listens there`);
    expect(error.mend).toContain('PORTCULLIS_ADMIN_PORT');
  });

  it('keeps no password, token or key in its log or its answers', async () => {
    const { call, signIn, logged } = await start();
    const token = await signIn();
    const users = await call('GET', '/api/auth/me', undefined, token);
    await call('POST', '/api/auth/login', { email: adminEmail, password: 'guess-Secret-1' });
    const text = JSON.stringify(users.body) + logged.join('\n');
    for (const secret of ['argon2', 'guess-Secret-1', token]) expect(text).not.toContain(secret);
  });
});
