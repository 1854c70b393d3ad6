import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { InspectedRequest } from '../../packages/engine/src/index.ts';

const setup = '/etc/modsecurity/crs/crs-setup.conf';
const rules = '/usr/share/modsecurity-crs/rules/*.conf';

/** libmodsecurity with the Core Rule Set of Debian, running in a process of its own. */
export interface Peer {
  /** runs a range of the requests; CPU microseconds, and how many it would have blocked */
  readonly run: (first: number, last: number) => Promise<{ cpuMicroseconds: number; blocked: number }>;
  readonly stop: () => void;
}

/** Compiles and starts the peer; a string says why it can't be. */
export async function startPeer(requests: readonly InspectedRequest[]): Promise<Peer | string> {
  if (!existsSync(setup)) return 'modsecurity-crs is not installed';
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-peer-'));
  const binary = path.join(folder, 'modsecurity');
  const compiled = spawnSync(
    'cc',
    ['-O2', path.join(import.meta.dirname, 'modsecurity.c'), '-lmodsecurity', '-o', binary],
    { encoding: 'utf8' },
  );
  if (compiled.status !== 0)
    return `cc with libmodsecurity-dev is needed: ${compiled.stderr?.split('\n')[0] ?? 'cc not found'}`;
  writeFileSync(path.join(folder, 'rules.conf'), configuration);
  writeFileSync(path.join(folder, 'requests.bin'), encode(requests));
  const child = spawn(binary, [path.join(folder, 'rules.conf'), path.join(folder, 'requests.bin')]);
  const lines = answers(child);
  const ready = await lines();
  if (ready !== 'ready') return `libmodsecurity did not start: ${ready ?? 'no answer'}`;
  return {
    run: async (first, last) => {
      child.stdin.write(`${first} ${last}\n`);
      const [nanoseconds = '0', blocked = '0'] = ((await lines()) ?? '').split(' ');
      return { cpuMicroseconds: Number(nanoseconds) / 1000, blocked: Number(blocked) };
    },
    stop: () => {
      child.stdin.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The rule engine as the package recommends it; everything is inspected and nothing logged. */
const configuration = `
SecRuleEngine On
SecRequestBodyAccess On
SecRequestBodyLimit 13107200
SecRequestBodyNoFilesLimit 13107200
SecResponseBodyAccess Off
SecAuditEngine Off
SecPcreMatchLimit 100000
SecPcreMatchLimitRecursion 100000
SecRule REQUEST_HEADERS:Content-Type "(?:application(?:/soap\\+|/)|text/)xml" "id:200000,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "application/json" "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"
Include ${setup}
Include ${rules}
`;

function encode(requests: readonly InspectedRequest[]): Buffer {
  const pieces: Buffer[] = [];
  const number = (value: number) => {
    const four = Buffer.alloc(4);
    four.writeUInt32LE(value);
    pieces.push(four);
  };
  const text = (value: string | Uint8Array) => {
    const bytes = typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from(value);
    number(bytes.length);
    pieces.push(bytes);
  };
  number(requests.length);
  for (const { method, target, httpVersion, headers, body } of requests) {
    text(method);
    text(target);
    text(httpVersion);
    number(headers.length);
    for (const [name, value] of headers) {
      text(name);
      text(value);
    }
    text(body ?? '');
  }
  return Buffer.concat(pieces);
}

function answers(child: ChildProcessWithoutNullStreams): () => Promise<string | undefined> {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    const next = await lines.next();
    return next.done ? undefined : next.value;
  };
}
