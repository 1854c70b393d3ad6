import {
  type InspectedRequest,
  inspect,
  inspectedCategories,
  type Policy,
} from '../packages/engine/src/index.ts';
import { type Peer, startPeer } from './peer/modsecurity.ts';
import type { BenchmarkResult } from './run.ts';
import { corpusFile, readCorpus, toRequest } from './traffic/corpus.ts';
import { policyOf } from './traffic/policies.ts';
import { cpuMicroseconds, summary } from './traffic/timing.ts';

/**
 * What inspecting a request costs: parse, decode, all categories at medium, over recorded benign traffic and
 * made requests. Each half of the traffic is measured after warming up on the other, so that no request of the first
 * half has been seen before (those of the second were, eight rounds ago); another figure has no header remembered from
 * one request to the next. With `--peer` libmodsecurity and the Core Rule Set of Debian run the same requests in turns
 * with ours, so that both meet the same noise; the ratio is of CPU time, with the tenth and ninetieth of a hundred slices.
 *
 * A turn is an eighth of the traffic, some 50 ms of ours and 2 s of the peer's. With turns of 5 and 300 ms all of ours
 * was run on caches that the peer had filled, and none of the peer's on ours: the same state read 1/30 so, and 1/36 to
 * 1/39 with turns five times as long. The first tenth of each turn, which shows that still, has a row of its own.
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const title = 'Engine: CPU time per request';
  const samples = readCorpus();
  if (!samples) return { title, notes: [`skipped: ${corpusFile} is not there`], rows: [] };
  const benign = samples.filter(({ label }) => label === 'benign').map(({ raw }) => toRequest(raw));
  const halves = [0, 1].map((half) => benign.filter((_request, index) => index % 2 === half));
  const [even = [], odd = []] = halves;
  const peer = args.includes('--peer')
    ? await startPeer([...even, ...odd, ...Object.values(made)])
    : 'not asked for (--peer)';
  const policy = policyOf('medium', inspectedCategories);
  const forgetful = policyOf('medium', inspectedCategories, { remembers: false });
  warm(policy, odd);
  const slices = await compare(policy, peer, even, 0);
  slices.push(...(await compare(policy, peer, odd, even.length)));
  const times = spread(policy, even);
  warm(forgetful, odd);
  const unremembered = await compare(forgetful, 'not again', even, 0);
  unremembered.push(...(await compare(forgetful, 'not again', odd, even.length)));
  for (const [index, slice] of unremembered.entries()) slice.theirs = slices[index]?.theirs ?? 0;
  const rows = [
    row('benign corpus', slices),
    row('of it, the first tenth of each turn', slices.filter(isFirst)),
    row(
      'of it, the rest of each turn',
      slices.filter((slice) => !isFirst(slice)),
    ),
    row('the same, no header remembered', unremembered),
  ];
  for (const [index, [name, request]] of Object.entries(made).entries()) {
    const repeated: Slice[] = [];
    warm(
      policy,
      Array.from({ length: 100 }, () => request),
    );
    for (let turn = 0; turn < 20; turn += 1)
      repeated.push(...(await compare(policy, peer, [request], benign.length + index)));
    rows.push(row(name, repeated));
  }
  if (typeof peer !== 'string') peer.stop();
  return {
    title,
    notes: [
      typeof peer === 'string' ? `peer: ${peer}` : 'peer: libmodsecurity + CRS of Debian, in turns with ours',
      times,
    ],
    rows,
  };
}

/** After four the compiler is still at work, and its CPU time counts: 44 µs a request in the fourth, 38 in the eighth. */
const warmRounds = 8;

function warm(policy: Policy, requests: readonly InspectedRequest[]): void {
  for (let round = 0; round < warmRounds; round += 1)
    for (const request of requests) inspect(policy, request);
}

/** CPU microseconds of a run of requests, ours and the peer's. */
interface Slice {
  readonly requests: number;
  /** which of its turn's slices it is, from 0 */
  readonly place: number;
  readonly ours: number;
  theirs: number;
  readonly blocked: number;
}

/** Turns of each half, and the slices of a turn. */
const turnCount = 4;
const slicesOfTurn = 10;

function isFirst({ place }: Slice): boolean {
  return place === 0;
}

/** Runs a turn of ours, then the same requests on the peer, and so on. */
async function compare(
  policy: Policy,
  peer: Peer | string,
  requests: readonly InspectedRequest[],
  offset: number,
): Promise<Slice[]> {
  if (requests.length === 1) return [await compareOne(policy, peer, requests, offset)];
  const turn = Math.ceil(requests.length / turnCount);
  const size = Math.ceil(turn / slicesOfTurn);
  const found: Slice[] = [];
  for (let begin = 0; begin < requests.length; begin += turn) {
    const end = Math.min(begin + turn, requests.length);
    const bounds: [first: number, last: number][] = [];
    for (let first = begin; first < end; first += size) bounds.push([first, Math.min(first + size, end)]);
    const ours = bounds.map((bound) => microsecondsOf(policy, requests.slice(...bound)));
    for (const [place, [first, last]] of bounds.entries()) {
      const answer = typeof peer === 'string' ? undefined : await peer.run(offset + first, offset + last);
      found.push({
        requests: last - first,
        place,
        ours: ours[place] ?? 0,
        theirs: answer?.cpuMicroseconds ?? 0,
        blocked: answer?.blocked ?? 0,
      });
    }
  }
  return found;
}

function microsecondsOf(policy: Policy, requests: readonly InspectedRequest[]): number {
  const start = cpuMicroseconds();
  for (const request of requests) inspect(policy, request);
  return cpuMicroseconds() - start;
}

const repeats = 20;

/** One request is over too soon to be timed; the peer runs it once. */
async function compareOne(
  policy: Policy,
  peer: Peer | string,
  requests: readonly InspectedRequest[],
  offset: number,
): Promise<Slice> {
  const start = cpuMicroseconds();
  for (let repeat = 0; repeat < repeats; repeat += 1)
    for (const request of requests) inspect(policy, request);
  const ours = (cpuMicroseconds() - start) / repeats;
  const answer = typeof peer === 'string' ? undefined : await peer.run(offset, offset + requests.length);
  return {
    requests: requests.length,
    place: 0,
    ours,
    theirs: answer?.cpuMicroseconds ?? 0,
    blocked: answer?.blocked ?? 0,
  };
}

function row(name: string, slices: readonly Slice[]) {
  const sum = (of: (slice: Slice) => number) => slices.reduce((total, slice) => total + of(slice), 0);
  const requests = sum((slice) => slice.requests);
  const ours = sum((slice) => slice.ours);
  const theirs = sum((slice) => slice.theirs);
  const ratios = slices
    .filter((slice) => slice.ours > 0)
    .map((slice) => slice.theirs / slice.ours)
    .sort((left, right) => left - right);
  const at = (share: number) => (ratios[Math.floor(ratios.length * share)] ?? 0).toFixed(0);
  return {
    requests: name,
    'ours µs': Number((ours / requests).toFixed(1)),
    ...(theirs > 0 && {
      'peer µs': Number((theirs / requests).toFixed(1)),
      ratio: `1/${(theirs / ours).toFixed(0)}`,
      'p10–p90': `1/${at(0.1)} – 1/${at(0.9)}`,
      'peer blocks': sum((slice) => slice.blocked),
    }),
  };
}

/** Wall time, the least of three runs each, for a busy machine interrupts any of them. */
function spread(policy: Policy, requests: readonly InspectedRequest[]): string {
  const times = requests.map(() => Infinity);
  for (let round = 0; round < 3; round += 1) {
    for (const [index, request] of requests.entries()) {
      const start = performance.now();
      inspect(policy, request);
      times[index] = Math.min(times[index] ?? Infinity, (performance.now() - start) * 1000);
    }
  }
  const { mean, p50, p99, max } = summary(times);
  return `wall time per benign request, least of three: mean ${mean.toFixed(1)}, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} (${(p99 / mean).toFixed(1)} times the mean), max ${max.toFixed(0)} µs`;
}

const headers = [
  ['host', 'shop.example.com'],
  [
    'user-agent',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
  ],
  ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['accept-language', 'en-US,en;q=0.9'],
  ['cookie', 'session=3f6c2b1a9d8e4f70b1c2d3e4f5a6b7c8; theme=dark'],
] as const;

function sent(method: string, target: string, type = '', body = ''): InspectedRequest {
  const typed =
    type === ''
      ? headers
      : [...headers, ['content-type', type] as const, ['content-length', String(body.length)] as const];
  return {
    method,
    target,
    httpVersion: '1.1',
    scheme: 'https',
    headers: typed,
    clientIp: '192.0.2.1',
    ...(body !== '' && { body }),
  };
}

const words =
  'the quick brown fox jumps over the lazy dog and then it rests for a while near the old stone wall ';
const made: Readonly<Record<string, InspectedRequest>> = {
  'GET of a page': sent('GET', '/products/garden/chairs'),
  'GET with 10 parameters': sent(
    'GET',
    `/search?${Array.from({ length: 10 }, (_unused, index) => `field${index}=${encodeURIComponent(words.slice(index, index + 30))}`).join('&')}`,
  ),
  'JSON 2 KB': sent(
    'POST',
    '/api/orders',
    'application/json',
    JSON.stringify({
      items: Array.from({ length: 20 }, (_unused, index) => ({
        id: index,
        name: words.slice(0, 60),
        price: 19.9,
      })),
    }).slice(0, 4000),
  ),
  'form 10 KB': sent(
    'POST',
    '/contact',
    'application/x-www-form-urlencoded',
    `subject=hello&text=${encodeURIComponent(words.repeat(80)).slice(0, 10_000)}`,
  ),
  'text 128 KB': sent('POST', '/notes', 'text/plain', words.repeat(1400).slice(0, 131_072)),
};
