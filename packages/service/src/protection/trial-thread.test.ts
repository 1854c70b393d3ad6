import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TrialTask } from '@portcullis/contract/link';
import { TriedRequest } from '@portcullis/contract/protection';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startService, type TestService } from '../testing/index.ts';
import { TrialThread } from './trial-thread.ts';

const busyWorker = new URL('./testing/trial-worker.ts', import.meta.url);
const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-trial-'));
afterAll(() => rmSync(folder, { recursive: true }));

const eventually = { timeout: 30_000, interval: 20 };
const begun = (file: string) => vi.waitFor(() => expect(existsSync(`${file}.begun`)).toBe(true), eventually);

describe('trying a request through the API', () => {
  let service: TestService;
  let token: string;
  let siteId: string;
  const tryIt = (target: string) =>
    service.call('POST', '/api/protection/test', { siteId, request: { target } }, token);

  beforeAll(async () => {
    service = await startService({ trialWorker: busyWorker });
    token = await service.signIn();
    const site = { name: 'Shop', domains: ['shop.example.com'], backend_url: 'http://127.0.0.1:3000' };
    siteId = (await service.call('POST', '/api/sites', site, token)).body.id;
  });
  afterAll(() => service.stop());

  it('keeps nobody else waiting, and is given to a user one at a time', async () => {
    const file = path.join(folder, 'go');
    const busy = tryIt(file);
    await begun(file);
    const second = await tryIt(folder);
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '5']);
    expect((await service.call('GET', '/api/protection/rules', undefined, token)).status).toBe(200);
    writeFileSync(file, '');
    expect(await busy).toMatchObject({ status: 200, body: { decision: 'pass', message: file } });
    expect((await tryIt(folder)).status).toBe(200);
  });

  it('ends with the service', async () => {
    const file = path.join(folder, 'last');
    const busy = tryIt(file);
    await begun(file);
    const stopped = service.stop();
    expect(await busy).toMatchObject({ status: 503, body: { code: 'trial_failed' } });
    await stopped;
  });
});

describe('the thread that tries requests', () => {
  let thread: TrialThread;
  afterEach(() => thread.stop());

  // The worker looks at the target alone.
  const task = (target: string): TrialTask => ({
    site: {} as TrialTask['site'],
    request: TriedRequest.parse({ target }),
    nowMs: 0,
  });

  it('is ended with a trial that takes too long, and another serves the next', async () => {
    thread = new TrialThread(busyWorker, 500);
    const hostile = thread.try('eve', task(path.join(folder, 'never')));
    expect(await hostile).toEqual({
      ok: false,
      code: 'trial_failed',
      message: 'The request could not be tried: it took longer than 0.5 seconds',
    });
    await vi.waitFor(async () => expect((await thread.try('ada', task(folder))).ok).toBe(true), eventually);
  });

  it('says what broke it, and another serves the next', async () => {
    thread = new TrialThread(busyWorker);
    expect(await thread.try('eve', task('/throws'))).toMatchObject({
      message: expect.stringContaining('it broke'),
    });
    expect((await thread.try('ada', task(folder))).ok).toBe(true);
  });

  it('has few wait', async () => {
    thread = new TrialThread(busyWorker);
    const never = task(path.join(folder, 'never'));
    const waiting = Array.from({ length: 9 }, (_, index) => thread.try(`user${index}`, never));
    expect(await thread.try('late', never)).toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 5,
    });
    await thread.stop();
    for (const outcome of await Promise.all(waiting)) expect(outcome).toMatchObject({ code: 'trial_failed' });
    expect(await thread.try('late', never)).toMatchObject({ code: 'trial_failed' });
  });
});
