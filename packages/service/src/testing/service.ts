import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SecurityEvent } from '@portcullis/contract/events';
import { type Counters, type EventBatch, latencyBucketsMs } from '@portcullis/contract/link';
import type { ServiceOptions } from '../options.ts';
import { createService, type Service } from '../service.ts';

export const adminEmail = 'admin@example.com';
export const adminPassword = 'Correct-horse-7!';

/** A real service on a port and folder of its own. */
export interface TestService {
  readonly service: Service;
  readonly base: string;
  readonly dataDir: string;
  readonly setupLink: string | undefined;
  /** lines that the service logged */
  readonly logged: string[];
  /** @returns the answer with its body read */
  call(method: string, path: string, body?: unknown, token?: string): Promise<Answer>;
  /** Signs in. @returns the token */
  signIn(email?: string, password?: string): Promise<string>;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // The caller of a test knows what it asked for; a wrong reading fails the test.
  readonly body: ReturnType<typeof JSON.parse>;
}

async function call(
  base: string,
  method: string,
  url: string,
  body?: unknown,
  token?: string,
): Promise<Answer> {
  const response = await fetch(base + url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** Starts a service with an administrator. @param options what the test has otherwise; `dataDir` is kept at stop */
export async function startService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'portcullis-data-')));
  const logged: string[] = [];
  const log = {
    info: (message: string, fields?: unknown) =>
      void logged.push(`${message} ${JSON.stringify(fields ?? {})}`),
    warn: (message: string, fields?: unknown) =>
      void logged.push(`${message} ${JSON.stringify(fields ?? {})}`),
    error: (message: string, fields?: unknown) =>
      void logged.push(`${message} ${JSON.stringify(fields ?? {})}`),
  };
  const service = createService({
    dataDir,
    adminHost: '127.0.0.1',
    adminPort: 0,
    log,
    productVersion: '0.0.0',
    bootstrapAdmin: { email: adminEmail, password: adminPassword },
    ...options,
  });
  const { port, setupLink } = await service.start();
  const base = `http://127.0.0.1:${port}`;
  return {
    service,
    base,
    dataDir,
    setupLink,
    logged,
    call: (method, url, body, token) => call(base, method, url, body, token),
    async signIn(email = adminEmail, password = adminPassword) {
      const { body } = await call(base, 'POST', '/api/auth/login', { email, password });
      return body.token;
    },
    async stop() {
      await service.stop();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let made = 0;

/** A block as a gateway reports it. */
export function securityEvent(fields: Partial<SecurityEvent> = {}): SecurityEvent {
  made += 1;
  return {
    id: `evt_${made}`,
    requestId: `req_${made}`,
    time: Date.now(),
    gatewayId: 'gateway-1',
    kind: 'detection',
    level: 'error',
    decision: 'block',
    method: 'GET',
    host: 'shop.example.com',
    path: '/?id=1',
    status: 403,
    clientIp: '203.0.113.9',
    userAgent: 'curl/8',
    category: 'sql_injection',
    ruleId: 'sqli-union',
    message: 'SQL injection blocked in query parameter id: a UNION that selects',
    score: 5,
    matches: [],
    count: 1,
    ...fields,
  };
}

/** What a gateway counted in one minute. */
export function counters(fields: Partial<Counters> = {}): Counters {
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const latency = Array.from({ length: latencyBucketsMs.length + 1 }, () => 0);
  const none = { requests: 0, blocked: 0, challenged: 0, bytesIn: 0, bytesOut: 0, durationMs: 0 };
  return { minute, statuses: [0, 0, 0, 0, 0], latency, ...none, ...fields };
}

/** A batch with an id of its own. */
export function batch(fields: Partial<EventBatch> = {}): EventBatch {
  made += 1;
  return { id: `batch_${made}`, gatewayId: 'gateway-1', events: [], counters: [], dropped: 0, ...fields };
}
