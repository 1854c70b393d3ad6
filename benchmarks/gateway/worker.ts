// One gateway worker as it runs in production, fed with a configuration of its own making, its events dropped.
// Its one argument is JSON, see WorkerPlan; on its input it takes one word a line: `reload`, `measure`,
// `pauses`.
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { ConfigSnapshot, GatewaySite, linkVersion } from '@portcullis/contract/link';
import { createGateway } from '@portcullis/gateway';
import type { Pause, WorkerPlan, WorkerReport } from './worker-plan.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as WorkerPlan;

/** Kept from the first question on: who does not ask has nothing that grows. */
let pauses: Pause[] | undefined;
const offset = Number(process.hrtime.bigint()) / 1e6 - performance.now();
const note = (cause: Pause['cause'], begin: number, ms: number) => {
  if (ms > 0.02) pauses?.push({ cause, begin: begin + offset, ms });
};
const collections = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) note('collection', startTime, duration);
});
const plainInterval = setInterval;
// What the gateway does again and again: reports, batches, looking after what is late.
globalThis.setInterval = ((callback: () => void, ms?: number) =>
  plainInterval(() => {
    const begin = performance.now();
    callback();
    note('timer', begin, performance.now() - begin);
  }, ms)) as typeof setInterval;

const site = GatewaySite.parse({
  id: 'bench',
  name: 'Bench',
  version: 1,
  created_at: '',
  updated_at: '',
  domains: ['*'],
  backend_url: plan.upstream,
  security_level: plan.level,
  rate_limit: { enabled: plan.level !== 'off', capacity: 1_000_000, window: 1 },
  ssl: { enabled: true },
  access_log: { format: plan.accessLog ?? 'off' },
});
const protection = Object.fromEntries(
  Object.entries(site.protection_config).map(([name, choice]) => {
    // What asks or limits the client instead of looking at the request would end the measurement.
    const aside = ['js_challenge', 'captcha_challenge', 'bot_fight_mode', 'rate_limiting'].includes(name);
    return [name, { ...choice, enabled: !(aside || plan.without?.includes(name)) }];
  }),
);

let version = 0;
const snapshot = () =>
  ConfigSnapshot.parse({
    linkVersion,
    version: ++version,
    createdAt: '',
    sites: [{ ...site, name: `Bench ${version}`, protection_config: protection }],
    certificates: plan.certificate ? [plan.certificate] : [],
    // All the load comes from one address.
    security: { maxConcurrentPerClient: 0 },
  });

let reload: () => void = () => undefined;
const gateway = createGateway({
  id: 'bench',
  host: '127.0.0.1',
  httpPort: 0,
  httpsPort: 0,
  dataDir: plan.dataDir,
  source: {
    start: (onDirective) => {
      reload = () => onDirective({ type: 'snapshot', snapshot: snapshot() });
      reload();
    },
    stop: async () => undefined,
  },
  sink: {
    deliver: async () => ({ delivered: true }),
    report: async () => ({ delivered: true }),
    sight: async () => ({ delivered: true }),
  },
  log: {
    info: () => undefined,
    warn: (message, fields) => console.error(message, fields),
    error: (message, fields) => console.error(message, fields),
  },
});
const say = (report: WorkerReport) => console.log(JSON.stringify(report));
say({ ...(await gateway.start()) });

createInterface({ input: process.stdin }).on('line', (word) => {
  if (word === 'reload') reload();
  if (word === 'pauses') {
    // What was observed in this turn is handed over after it.
    setImmediate(() => {
      if (pauses === undefined) collections.observe({ entryTypes: ['gc'] });
      say({ pauses: pauses ?? [] });
      pauses = [];
    });
  }
  if (word !== 'measure') return;
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  say({ liveBytes: heapUsed + external });
});
process.on('SIGTERM', () => void gateway.stop({ graceMs: 0 }).then(() => process.exit(0)));
