// A gateway in a process of its own that counts what its collector makes old. Its one argument is the upstream's
// address; `begin` starts the count, `end` answers with it.
import { GCProfiler } from 'node:v8';
import { startGateway } from './gateway.ts';

/** What it says: its port once it listens, then the count. */
export interface PromotionReport {
  readonly port?: number;
  readonly promotedBytes?: number;
  readonly scavenges?: number;
}

const oldSpaces = new Set(['old_space', 'large_object_space']);
type Spaces = ReturnType<GCProfiler['stop']>['statistics'][number]['beforeGC']['heapSpaceStatistics'];
const oldBytes = (spaces: Spaces) =>
  spaces.reduce(
    (sum, { spaceName, spaceUsedSize }) => sum + (oldSpaces.has(spaceName) ? spaceUsedSize : 0),
    0,
  );

const say = (report: PromotionReport) => process.send?.(report);
const backend_url = process.argv[2] ?? '';
const rate_limit = { enabled: true, capacity: 1_000_000, window: 1 };
const gateway = await startGateway({ sites: [{ backend_url, rate_limit, security_level: 'medium' }] });

let profiler = new GCProfiler();
process.on('message', (word) => {
  if (word === 'begin') {
    profiler = new GCProfiler();
    profiler.start();
    say({});
    return;
  }
  const scavenges = profiler.stop().statistics.filter(({ gcType }) => gcType === 'Scavenge');
  const promotedBytes = scavenges.reduce(
    (sum, { beforeGC, afterGC }) =>
      sum + oldBytes(afterGC.heapSpaceStatistics) - oldBytes(beforeGC.heapSpaceStatistics),
    0,
  );
  say({ promotedBytes, scavenges: scavenges.length });
});
process.on('disconnect', () => void gateway[Symbol.asyncDispose]());
say({ port: gateway.port });
