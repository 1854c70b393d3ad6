// In a network and a mount namespace of its own: tries one fault after the other, and sends its parent what came of it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Carried, settle } from './balance.ts';
import { type Edge, type Installation, startInstallation } from './installation.ts';
import { createNetwork } from './network.ts';
import { type Durations, type Scenario, type Stage, scenarios } from './scenarios.ts';
import { judge } from './sentences.ts';
import { createTraffic } from './traffic.ts';
import { startWitness, stillSaid } from './witness.ts';

/** What came of one fault. */
export interface Outcome {
  readonly name: string;
  readonly title: string;
  /** absent where the fault could be tried */
  readonly leftOut?: string;
  readonly seconds: number;
  readonly requests: number;
  readonly blocks: number;
  readonly wrong: Readonly<Record<string, number>>;
  readonly missing: number;
  readonly twice: number;
  readonly totalsOff: number;
  readonly diedWithIt: number;
  readonly oldestMs: number;
  readonly settledSeconds: number;
  readonly said: readonly string[];
  /** patterns of what should have been said and was not */
  readonly unsaid: readonly string[];
  /** what was said, and was not so */
  readonly untrue: readonly string[];
  readonly slowestMs: number;
}

/** What the parent asks for. */
export interface Order {
  readonly durations: Durations;
  readonly only: readonly string[];
}

const settlePatienceMs = 90_000;
/** By then nobody is called absent, behind or ailing any more: the clock of one that was off needs the longest. */
const wellAgainMs = 60_000;

/** @param lasting what earlier faults go on to say */
async function tryOne(
  scenario: Scenario,
  installation: Omit<Stage, 'expect'>,
  carried: ReadonlyMap<Edge, Carried>,
  lasting: readonly RegExp[],
): Promise<Outcome> {
  const { name, title, lasts = [], mayTell = [] } = scenario;
  const tells = [...scenario.tells, ...lasts];
  const stage: Stage = { ...installation, expect: (...also) => void tells.push(...also) };
  const { edges, traffic, store } = stage;
  const before = edges.map(({ ledger }) => ({ answered: ledger.answered, blocks: ledger.blocks.size }));
  for (const { ledger } of edges) ledger.begin();
  const since = Date.now();
  const began = performance.now();
  const witness = startWitness(stage);
  traffic.start();
  const changing = change(stage);
  const killed = await scenario.run(stage);
  const seconds = (performance.now() - began) / 1000;
  await traffic.stop();
  const settled = await settle(stage, carried, killed, settlePatienceMs);
  await changing;
  const still = await stillSaid(stage, wellAgainMs);
  const said = [...(await witness.stop()), ...(await store.said(since))];
  const { unsaid, untrue } = judge(said, tells, [...mayTell, ...lasting]);
  const sum = (pick: (balance: (typeof settled.balances)[number]) => number) =>
    settled.balances.reduce((total, balance) => total + pick(balance), 0);
  const grown = (pick: (edge: Edge, at: number) => number) =>
    edges.reduce((total, edge, at) => total + pick(edge, at), 0);
  return {
    name,
    title,
    seconds,
    requests: grown(({ ledger }, at) => ledger.answered - (before[at]?.answered ?? 0)),
    blocks: grown(({ ledger }, at) => ledger.blocks.size - (before[at]?.blocks ?? 0)),
    wrong: Object.fromEntries(
      edges.flatMap(({ name: edge, ledger }) =>
        [...ledger.wrong].map(([why, times]) => [`${edge}: ${why}`, times]),
      ),
    ),
    missing: sum((balance) => balance.missing),
    twice: sum((balance) => balance.twice),
    totalsOff: sum((balance) => balance.totalsOff),
    diedWithIt: sum((balance) => balance.diedWithIt),
    oldestMs: Math.max(...settled.balances.map(({ oldestMs }) => oldestMs)),
    settledSeconds: settled.seconds,
    said,
    unsaid,
    untrue: [...untrue, ...still.map((sentence) => `in the end ${sentence}`)],
    slowestMs: Math.max(...edges.map(({ ledger }) => ledger.slowestMs)),
  };
}

/**
 * While something goes wrong an operator changes a site, and tries for as long as that is refused: it is to be in force
 * everywhere in the end.
 */
async function change({ replicas, edges, call }: Stage): Promise<void> {
  await delay(changeAfterMs);
  for (const { siteId } of edges) {
    for (let turn = 0; ; turn += 1) {
      const replica = replicas[turn % replicas.length];
      const description = `changed at ${performance.now()}`;
      const answer = replica?.up
        ? await call(replica, 'PUT', `/sites/${siteId}`, { description }).catch(() => undefined)
        : undefined;
      if (answer?.status === 200) break;
      if (answer && answer.status < 500) throw new Error(JSON.stringify(answer.body));
      await delay(changeAgainMs);
    }
  }
}
const changeAfterMs = 3000;
const changeAgainMs = 1000;

const leftOut = ({ name, title }: Scenario, why: string): Outcome => ({
  name,
  title,
  leftOut: why,
  ...{ seconds: 0, requests: 0, blocks: 0, wrong: {}, missing: 0, twice: 0, totalsOff: 0 },
  ...{ diedWithIt: 0, oldestMs: 0, settledSeconds: 0, said: [], unsaid: [] },
  ...{ untrue: [], slowestMs: 0 },
});

/** Every gateway serves its site, and nothing of before is on its way. */
async function warm({ edges }: Installation): Promise<void> {
  for (const { machine, part, name } of edges) {
    const ask = () =>
      fetch(`http://${machine.frontAddress}:${part.port}/favicon.ico`, { headers: { 'x-name': name } }).then(
        ({ status }) => status,
      );
    while ((await ask().catch(() => 0)) === 0) await delay(50);
  }
  await delay(3000);
}

async function main({ durations, only }: Order): Promise<void> {
  // What is mounted here ends with this process, and nobody else sees it.
  execFileSync('mount', ['--make-rprivate', '/']);
  const network = createNetwork();
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-faults-'));
  const installation = await startInstallation(network, folder);
  try {
    await warm(installation);
    const traffic = createTraffic(installation.edges.map(({ door }) => door));
    const carried = new Map(
      installation.edges.map((edge) => [edge, { requests: 0, blocked: 0, lost: new Set<string>() }]),
    );
    const lasting: RegExp[] = [];
    for (const scenario of scenarios) {
      if (only.length > 0 && !only.includes(scenario.name)) continue;
      const outcome = scenario.missing
        ? leftOut(scenario, scenario.missing)
        : await tryOne(scenario, { ...installation, traffic, durations }, carried, lasting);
      lasting.push(...(scenario.lasts ?? []));
      process.send?.(outcome);
    }
  } finally {
    await installation.stop();
    // Where a small disk was put.
    for (const { spool } of installation.edges) spawnSync('umount', [spool], { stdio: 'ignore' });
    network.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

// Whoever is stopped half-way leaves nothing running: the parts end with the process that started them.
process.once('disconnect', () => process.exit(1));
process.once('message', (order: Order) => {
  main(order).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
