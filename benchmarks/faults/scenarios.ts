import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { RedisServer } from '../../packages/cli/src/redis/testing/index.ts';
import { type Fleet, fleetLimits } from '../../packages/contract/src/fleet/index.ts';
import { type Edge, fakeTimeMissing, type Installation, type Replica } from './installation.ts';
import {
  absent,
  ahead,
  behind,
  caughtUp,
  countedAlone,
  deaf,
  ended,
  gateways,
  replicas as names,
  noRoom,
  noRoomNow,
  onDuty,
  services,
  silent,
  stopped,
  storageAway,
  takesNothing,
} from './sentences.ts';
import type { Traffic } from './traffic.ts';

/** Seconds, each by a flag of the same name. */
export interface Durations {
  /** PostgreSQL and Redis are out of reach for so long */
  readonly cut: number;
  /** one gateway is out of reach of both */
  readonly alone: number;
  /** before, behind and in the middle of shorter faults */
  readonly hold: number;
}

/** What a fault acts on. */
export interface Stage extends Installation {
  readonly traffic: Traffic;
  readonly durations: Durations;
  /** Adds to what the console must say, where that turns out only while the fault is tried. */
  expect(...tells: readonly RegExp[]): void;
}

/** One thing that goes wrong under traffic. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** sentences that the console, or an event in it, must have said; nobody has to hear of what is over in a moment */
  readonly tells: readonly RegExp[];
  /** what is true besides where it takes as long as that; whatever else is said is an untruth */
  readonly mayTell?: readonly RegExp[];
  /** what it must have said too, and goes on to say while the next ones are tried */
  readonly lasts?: readonly RegExp[];
  /** why it cannot be tried here */
  readonly missing?: string | undefined;
  /** @returns the gateway that was killed, and when */
  run(stage: Stage): Promise<Killed | undefined>;
}

/** What may be missing of a gateway that was killed: what it answered this late, and held in memory. */
export interface Killed {
  readonly edge: Edge;
  readonly at: number;
  /** when it last could give away what it held */
  readonly lastFlush: number;
}

/** A gateway gives away what it holds this often. */
const flushEveryMs = 250;
/** Longer than a process may be silent before it counts as absent. */
const silentSeconds = fleetLimits.absentAfterMs / 1000 + 3;
const diskBytes = 65_536;
const wait = (seconds: number) => delay(seconds * 1000);

const redisRestarted: Scenario = {
  name: 'redis-restart',
  title: 'Redis killed and started again, empty',
  tells: [],
  mayTell: [...services.map(deaf)],
  async run({ redis, durations }) {
    await wait(durations.hold);
    await redis.restart();
    await wait(durations.hold);
    return undefined;
  },
};

const postgresRestarted: Scenario = {
  name: 'postgres-restart',
  title: 'PostgreSQL killed and started again',
  tells: [],
  mayTell: [...names.map(storageAway)],
  async run({ postgres, durations }) {
    await wait(durations.hold);
    await postgres.restart();
    await wait(durations.hold);
    return undefined;
  },
};

const redisCut: Scenario = {
  name: 'redis-cut',
  title: 'Redis cut off',
  tells: [...services.map(deaf), ...gateways.flatMap(countedAlone)],
  mayTell: [...gateways.flatMap(caughtUp)],
  async run({ redisMachine, durations }) {
    redisMachine.cut();
    await wait(durations.cut);
    redisMachine.mend();
    await wait(durations.hold);
    return undefined;
  },
};

const postgresCut: Scenario = {
  name: 'postgres-cut',
  title: 'PostgreSQL cut off',
  tells: names.map(storageAway),
  mayTell: [...names.map(silent), ...services.map(takesNothing)],
  async run({ postgresMachine, durations }) {
    postgresMachine.cut();
    await wait(durations.cut);
    postgresMachine.mend();
    await wait(durations.hold);
    return undefined;
  },
};

const gatewayKilled: Scenario = {
  name: 'gateway-kill',
  title: 'a gateway killed with a batch on its way',
  tells: absent('edge-1.gateway-1'),
  lasts: [ended('edge-1.gateway-1')],
  async run({ redis, edges, durations }) {
    const [edge] = edges as [Edge];
    await wait(durations.hold);
    // Its batch stands in the server's socket, and no answer comes.
    redis.freeze();
    const frozen = performance.now();
    await delay(2 * flushEveryMs);
    edge.ledger.down = true;
    await edge.part.kill();
    const at = performance.now();
    redis.thaw();
    await wait(silentSeconds);
    await edge.start();
    edge.ledger.down = false;
    await wait(durations.hold);
    return { edge, at, lastFlush: frozen - 2 * flushEveryMs };
  },
};

const serviceKilled: Scenario = {
  name: 'service-kill',
  title: 'a service killed in the middle of an insert',
  tells: absent('service-a.service'),
  lasts: [ended('service-a.service')],
  async run({ store, replicas, durations }) {
    const [replica] = replicas as [Replica];
    await wait(durations.hold);
    const release = await store.holdInserts();
    await wait(1);
    replica.up = false;
    await replica.part.kill();
    await release();
    await wait(silentSeconds);
    await replica.start();
    return undefined;
  },
};

const gatewayAlone: Scenario = {
  name: 'alone',
  title: 'a gateway cut off from Redis and services',
  tells: [...absent('edge-2.gateway-1'), ...countedAlone('edge-2.gateway-1')],
  mayTell: [...caughtUp('edge-2.gateway-1')],
  async run({ edges, durations }) {
    const [, edge] = edges as [Edge, Edge];
    edge.machine.cut();
    await wait(durations.alone);
    edge.machine.mend();
    await wait(durations.hold);
    return undefined;
  },
};

const clockOff: Scenario = {
  name: 'clock',
  title: 'a gateway 2 minutes ahead, a service 2 minutes behind',
  tells: [ahead('edge-3.gateway-1'), behind('service-b.service')],
  mayTell: [...['edge-3.gateway-1', 'service-b.service'].map(stopped)],
  missing: fakeTimeMissing,
  async run({ edges, replicas, traffic, durations }) {
    const edge = edges[2] as Edge;
    const replica = replicas[1] as Replica;
    const restart = async (ahead?: string, behind?: string) => {
      await traffic.stop();
      replica.up = false;
      await Promise.all([edge.part.stop(), replica.part.stop()]);
      await Promise.all([edge.start(ahead), replica.start(behind)]);
      traffic.start();
    };
    await restart('+120', '-120');
    await wait(durations.hold * 2);
    await restart();
    await wait(durations.hold);
    return undefined;
  },
};

const diskFull: Scenario = {
  name: 'disk',
  title: `a gateway cut off, its spool on a full disk of ${diskBytes / 1024} KB`,
  tells: [noRoom('edge-3.gateway-1')],
  mayTell: [noRoomNow('edge-3.gateway-1'), ...absent('edge-3.gateway-1'), ...caughtUp('edge-3.gateway-1')],
  async run({ edges, durations }) {
    const edge = edges[2] as Edge;
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'spool', edge.spool]);
    const before = edge.part.said().length;
    edge.machine.cut();
    while (!edge.part.said().slice(before).includes('cannot be kept on disk')) await delay(100);
    await wait(durations.hold);
    edge.machine.mend();
    // Its own report tells of it before the spool has room again.
    await wait(durations.hold);
    return undefined;
  },
};

const redisEmptied: Scenario = {
  name: 'redis-flush',
  title: 'Redis emptied by somebody, with batches in it',
  tells: [],
  async run({ redis, store, durations }) {
    await wait(durations.hold);
    const release = await store.holdInserts();
    await wait(2);
    await asAdministrator(redis, ['FLUSHALL']);
    await release();
    await wait(durations.hold);
    return undefined;
  },
};

const redisStandby: Scenario = {
  name: 'redis-standby',
  title: "Redis takes no writes, as another one's replica",
  tells: [...gateways.flatMap(countedAlone)],
  mayTell: [...services.map(deaf), ...gateways.flatMap(caughtUp)],
  async run({ redis, durations }) {
    await wait(durations.hold);
    await asAdministrator(redis, ['REPLICAOF', '127.0.0.1', '1']);
    await wait(durations.cut);
    await asAdministrator(redis, ['REPLICAOF', 'NO', 'ONE']);
    await wait(durations.hold);
    return undefined;
  },
};

const postgresStandby: Scenario = {
  name: 'postgres-standby',
  title: 'PostgreSQL takes no writes, as a standby',
  tells: services.map(takesNothing),
  async run({ store, durations }) {
    await wait(durations.hold);
    await store.refuseWrites(true);
    await wait(durations.cut);
    await store.refuseWrites(false);
    await wait(durations.hold);
    return undefined;
  },
};

const servicePaused: Scenario = {
  name: 'service-pause',
  title: 'the service on duty held still in the middle of an insert, then let go on',
  tells: services.map(onDuty),
  async run({ store, replicas, call, durations, expect }) {
    await wait(durations.hold);
    const [asked] = replicas as [Replica];
    const { body } = await call(asked, 'GET', '/fleet');
    const holder = (body as Fleet).members.find((member) => member.onDuty)?.id ?? '';
    const replica = replicas.find(({ name }) => holder.startsWith(name)) ?? asked;
    expect(...absent(`${replica.name}.service`));
    const release = await store.holdInserts();
    await wait(1);
    replica.up = false;
    replica.part.freeze();
    await release();
    // Longer than its lease, than its batches are left to it, and than its transaction may stand.
    await wait(Math.max(silentSeconds, durations.cut + durations.hold));
    replica.part.thaw();
    replica.up = true;
    await wait(durations.hold);
    return undefined;
  },
};

/** By its socket, which no cable has to do with. */
async function asAdministrator({ socket }: RedisServer, [command = '', ...args]: readonly string[]) {
  const redis = new Redis({ path: socket, protocol: 2 });
  await redis.call(command, ...args);
  redis.disconnect();
}

/** In the order in which they are tried. */
export const scenarios: readonly Scenario[] = [
  redisRestarted,
  redisEmptied,
  postgresRestarted,
  redisCut,
  redisStandby,
  postgresCut,
  postgresStandby,
  gatewayKilled,
  serviceKilled,
  servicePaused,
  gatewayAlone,
  clockOff,
  diskFull,
];
