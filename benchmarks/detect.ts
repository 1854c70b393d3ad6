import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  explain,
  type InspectedRequest,
  inspect,
  inspectRest,
  type Policy,
  type Sensitivity,
  sensitivities,
  type Verdict,
} from '../packages/engine/src/index.ts';
import type { BenchmarkResult } from './run.ts';
import { byChance } from './traffic/chance.ts';
import { corpusFile, readCorpus, type Sample, toRequest } from './traffic/corpus.ts';
import { installed } from './traffic/installed.ts';
import { mislabelled } from './traffic/mislabelled.ts';
import { payloadCategories, policyOf } from './traffic/policies.ts';
import { summary } from './traffic/timing.ts';
import { firstMeasured, readUnseen, type Unseen } from './traffic/unseen.ts';

/**
 * Detection and false positives on recorded traffic, for each sensitivity, in all and by category; then on requests
 * that were written before anybody looked at what the rules make of them, on what chance writes, and on what the
 * installed packages say of themselves.
 * `--show` lists what was missed and what was blamed at medium.
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const title = 'Detection on recorded traffic';
  const samples = readCorpus();
  if (!samples) {
    const notes = [`only what was written: there is no recorded traffic at ${corpusFile}`, ...atFirst()];
    return { title, notes, rows: unseenRows(readUnseen()) };
  }
  // Policies that chose alike share their machinery, so only the first of its kind can be weighed.
  const memory = policyMegabytes();
  const rows = sensitivities.map((sensitivity) =>
    measure(requestsOf(samples), sensitivity, policyOf(sensitivity)),
  );
  const byCategory = payloadCategories.flatMap((category) =>
    sensitivities.map((sensitivity) => ({
      scope: category,
      ...measure(requestsOf(samples), sensitivity, policyOf(sensitivity, [category])),
    })),
  );
  const unseen = readUnseen();
  if (args.includes('--show')) {
    show(samples.map(({ id, raw, label }) => ({ label, request: toRequest(raw), name: id, text: raw })));
    show(unseen);
  }
  return {
    title,
    notes: [
      `${samples.filter(isAttack).length} attacks, ${samples.filter((sample) => !isAttack(sample)).length} benign; all payload categories on, then each alone`,
      ...mislabelled.map(({ id, reason }) => `counted as missed though it holds no attack: ${id}: ${reason}`),
      ...atFirst(),
      gateRates(samples),
      `memory of one compiled policy: ${memory.toFixed(1)} MB; of it the automaton's tables: ${(policyOf('high').automaton.bytes / 1e6).toFixed(1)} MB`,
    ],
    rows: [
      ...rows.map((row) => ({ scope: 'all', ...row })),
      ...byCategory,
      ...unseenRows(unseen),
      ...byChance(5000).map(({ kind, requests }) => benignRow(`by chance: ${kind}`, requests)),
      ...installed().map(({ kind, requests }) => benignRow(`of installed packages: ${kind}`, requests)),
    ],
  };
}

function benignRow(scope: string, requests: readonly InspectedRequest[]) {
  const labelled = requests.map((request) => ({ label: 'benign' as const, request }));
  return { scope: `${scope} (${requests.length})`, ...measure(labelled, 'medium', policyOf('medium')) };
}

const atFirst = (): string[] =>
  Object.entries(firstMeasured).flatMap(([round, measured]) =>
    Object.entries(measured).map(
      ([sensitivity, { attacks, benign }]) =>
        `round ${round} as first measured at ${sensitivity}: ${attacks} % of attacks, ${benign} % of benign requests stopped`,
    ),
  );

function unseenRows(unseen: readonly Unseen[]) {
  return [...new Set(unseen.map(({ round }) => round))].flatMap((round) => {
    const written = unseen.filter((one) => one.round === round);
    return sensitivities.map((sensitivity) => ({
      scope: `written, round ${round}`,
      ...measure(written, sensitivity, policyOf(sensitivity)),
    }));
  });
}

/** What is measured: a request, and whether it should be stopped. */
interface Labelled {
  readonly label: 'attack' | 'benign';
  readonly request: InspectedRequest;
}

function* requestsOf(samples: readonly Sample[]): Generator<Labelled> {
  for (const { label, raw } of samples) yield { label, request: toRequest(raw) };
}

function isAttack({ label }: Pick<Sample, 'label'>): boolean {
  return label === 'attack';
}

function measure(samples: Iterable<Labelled>, sensitivity: Sensitivity, policy: Policy) {
  const microseconds: number[] = [];
  let caught = 0;
  let blamed = 0;
  let attacks = 0;
  for (const sample of samples) {
    const start = performance.now();
    const blocked = judge(policy, sample.request).decision === 'block';
    if (isAttack(sample)) {
      attacks += 1;
      if (blocked) caught += 1;
    } else {
      microseconds.push((performance.now() - start) * 1000);
      if (blocked) blamed += 1;
    }
  }
  const detected = caught / attacks;
  const falsePositives = blamed / microseconds.length;
  const time = summary(microseconds);
  return {
    sensitivity,
    'attacks %': attacks > 0 ? round(detected * 100, 1) : '',
    'benign blocked': blamed,
    'benign blocked %': round(falsePositives * 100, 3),
    'balanced %': attacks > 0 ? round(((detected + 1 - falsePositives) / 2) * 100, 2) : '',
    'µs mean': round(time.mean, 1),
    'µs p50': round(time.p50, 1),
    'µs p99': round(time.p99, 1),
    'µs max': round(time.max, 0),
  };
}

/** As a gateway does: what is beyond the prefix of a body is looked at on its way. */
function judge(policy: Policy, request: InspectedRequest): Verdict {
  const { maxBodyBytes } = policy.limits;
  const { body } = request;
  if (typeof body !== 'string' || body.length <= maxBodyBytes) return inspect(policy, request);
  const beginning = { ...request, body: body.slice(0, maxBodyBytes), bodyTruncated: true };
  const verdict = inspect(policy, beginning);
  const rest = verdict.decision === 'block' ? undefined : inspectRest(policy, beginning);
  return rest?.read(body.slice(maxBodyBytes), true) ?? verdict;
}

/** How seldom gates open, on every twentieth benign request. */
function gateRates(samples: readonly Sample[]): string {
  const policy = policyOf('medium');
  const chosen = samples.filter((sample, index) => !isAttack(sample) && index % 20 === 0);
  let values = 0;
  let opened = 0;
  let evaluated = 0;
  for (const { raw } of chosen) {
    const { valueCount, evaluations } = explain(policy, toRequest(raw));
    values += valueCount;
    opened += evaluations.length;
    evaluated += evaluations.reduce((sum, one) => sum + one.evaluated.length, 0);
  }
  const rules = policy.units.reduce((sum, unit) => sum + unit.rules.length, 0);
  const each = (count: number) => (count / chosen.length).toFixed(1);
  return `gates: of ${rules} rules, ${each(evaluated)} were run a benign request, on ${each(opened)} texts of ${each(values)} values`;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function policyMegabytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Twice: what the corpus was read from goes with the second, and would be missing from the difference.
  collect();
  collect();
  const before = process.memoryUsage();
  const kept = policyOf('high');
  collect();
  const after = process.memoryUsage();
  return (
    (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers + kept.units.length * 0) /
    1e6
  );
}

function show(samples: readonly (Labelled & { readonly name: string; readonly text: string })[]): void {
  const policy = policyOf('medium');
  for (const sample of samples) {
    const { decision, matches } = judge(policy, sample.request);
    if (isAttack(sample) === (decision === 'block')) continue;
    console.log(
      `${isAttack(sample) ? 'missed' : 'blamed'} ${sample.name}: ${sample.text.split(/\r?\n/)[0]?.slice(0, 100)}`,
    );
    for (const match of matches)
      console.log(
        `    ${match.ruleId} ${match.target} ${JSON.stringify(match.value.slice(...match.span).slice(0, 100))}`,
      );
  }
}
