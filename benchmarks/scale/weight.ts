import { type Asker, createAsker, startUpstream } from './asking.ts';
import { cpuMicrosOf } from './cpu.ts';
import { hostOf, snapshotOf } from './large.ts';
import { type Shape, startPublished } from './published.ts';

/** What a gateway's configuration may weigh. */
export interface Load {
  readonly sites: number;
  readonly addresses: number;
}

/** microseconds of a gateway's processor time a request, of each round, small and large */
export interface Weight {
  readonly small: readonly number[];
  readonly large: readonly number[];
}

/** Rounds that are not counted: with many sites it is the eighth or so until code and heap are as they stay. */
const warmingRounds = 7;

/**
 * Two gateways, one with little and one with much to know, asked in turns; with many sites, all of them alike often.
 * @param perRound requests of each gateway in each round
 */
export async function measureWeight(
  shape: Shape,
  large: Load,
  { rounds, perRound, connections }: { rounds: number; perRound: number; connections: number },
): Promise<Weight> {
  const upstream = await startUpstream();
  const gateways = [await startPublished(shape), await startPublished(shape)] as const;
  const plans: readonly Load[] = [{ sites: 1, addresses: 0 }, large];
  for (const [at, gateway] of gateways.entries()) {
    await gateway.publish(
      snapshotOf({ version: 1, upstream: upstream.url, sites: 1, addresses: 0, ...plans[at] }),
    );
  }
  const askers = gateways.map(({ part }) => createAsker(part.port, connections));
  const measured: [number[], number[]] = [[], []];
  const round = async (at: 0 | 1) => {
    const sites = plans[at]?.sites ?? 1;
    const before = cpuMicrosOf(gateways[at].part.pid);
    // A step that shares no factor with the count visits every site before it comes back to one.
    await (askers[at] as Asker).askAll((turn) => hostOf((turn * 7919) % sites), perRound);
    return (cpuMicrosOf(gateways[at].part.pid) - before) / perRound;
  };
  for (let turn = 0; turn < warmingRounds; turn += 1) for (const at of [0, 1] as const) await round(at);
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const at of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      measured[at].push(await round(at));
  }
  for (const asker of askers) asker.stop();
  for (const gateway of gateways) await gateway.stop();
  upstream.stop();
  return { small: measured[0], large: measured[1] };
}
