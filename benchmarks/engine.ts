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
 * four made requests. With `--peer` libmodsecurity and the Core Rule Set of Debian run the same requests in turns with ours,
 * so that both meet the same noise; the ratio is of CPU time.
 */
export async function run(args: readonly string[]): Promise<BenchmarkResult> {
  const title = 'Engine: CPU time per request';
  const samples = readCorpus();
  if (!samples) return { title, notes: [`skipped: ${corpusFile} is not there`], rows: [] };
  const policy = policyOf('medium', inspectedCategories);
  const benign = samples.filter(({ label }) => label === 'benign').map(({ raw }) => toRequest(raw));
  for (let round = 0; round < 2; round += 1) for (const request of benign) inspect(policy, request);
  const peer = args.includes('--peer')
    ? await startPeer([...benign, ...Object.values(made)])
    : 'not asked for (--peer)';
  const rows = [await compare('benign corpus', policy, peer, benign, 0)];
  for (const [index, [name, request]] of Object.entries(made).entries()) {
    rows.push(await compare(name, policy, peer, [request], benign.length + index));
  }
  if (typeof peer !== 'string') peer.stop();
  return {
    title,
    notes: [
      typeof peer === 'string' ? `peer: ${peer}` : 'peer: libmodsecurity + CRS of Debian, in turns with ours',
      ...spread(policy, benign),
    ],
    rows,
  };
}

const slices = 12;

async function compare(
  name: string,
  policy: Policy,
  peer: Peer | string,
  requests: readonly InspectedRequest[],
  offset: number,
) {
  const repeats = requests.length === 1 ? 300 : 1;
  let ours = 0;
  let theirs = 0;
  let blocked = 0;
  const size = Math.ceil(requests.length / slices);
  for (let first = 0; first < requests.length; first += size) {
    const last = Math.min(first + size, requests.length);
    const start = cpuMicroseconds();
    for (let repeat = 0; repeat < repeats; repeat += 1)
      for (const request of requests.slice(first, last)) inspect(policy, request);
    ours += cpuMicroseconds() - start;
    if (typeof peer === 'string') continue;
    for (let repeat = 0; repeat < Math.min(repeats, 20); repeat += 1) {
      const answer = await peer.run(offset + first, offset + last);
      theirs += answer.cpuMicroseconds;
      blocked += repeat === 0 ? answer.blocked : 0;
    }
  }
  const oursEach = ours / (requests.length * repeats);
  const theirsEach = theirs / (requests.length * Math.min(repeats, 20));
  return {
    requests: name,
    'ours µs': Number(oursEach.toFixed(1)),
    ...(typeof peer !== 'string' && {
      'peer µs': Number(theirsEach.toFixed(1)),
      ratio: `1/${(theirsEach / oursEach).toFixed(0)}`,
      'peer blocks': blocked,
    }),
  };
}

function spread(policy: Policy, requests: readonly InspectedRequest[]): string[] {
  const times = requests.map((request) => {
    const start = performance.now();
    inspect(policy, request);
    return (performance.now() - start) * 1000;
  });
  const { mean, p50, p99, max } = summary(times);
  return [
    `wall time per benign request: mean ${mean.toFixed(1)}, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(0)} µs`,
  ];
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
