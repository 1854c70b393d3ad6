import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AcmeAuthority } from '../certificates/index.ts';
import { freePort } from '../storage/testing/index.ts';
import { selfSigned } from './certificate.ts';

/** A real certificate authority on this machine. */
export interface AcmeServer {
  readonly authority: AcmeAuthority;
  stop(): Promise<void>;
}

/** Why tests with a real authority cannot run here; undefined: they can. */
export function pebbleMissing(): string | undefined {
  try {
    execFileSync('which', ['pebble', 'pebble-challtestsrv'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'pebble is not installed (apt-get install pebble)';
  }
}

/**
 * Starts pebble, and a name server for it by which every name is this machine.
 * @param httpPort where it validates
 * @param validSeconds how long its certificates hold; absent: five years
 * @param binding which account it asks for; absent: for none
 */
export async function startAcmeServer(
  httpPort: number,
  validSeconds?: number,
  binding?: AcmeAuthority['binding'],
): Promise<AcmeServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'portcullis-acme-'));
  const [api, management, dns, dnsManagement] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const own = await selfSigned(['localhost'], { ip: '127.0.0.1' });
  const file = (name: string) => path.join(folder, name);
  await writeFile(file('cert.pem'), own.certificate);
  await writeFile(file('key.pem'), own.privateKey);
  const pebble = {
    listenAddress: `127.0.0.1:${api}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: file('cert.pem'),
    privateKey: file('key.pem'),
    httpPort,
    tlsPort: 1,
    ocspResponderURL: '',
    externalAccountBindingRequired: binding !== undefined,
    ...(binding && { externalAccountMACKeys: { [binding.keyId]: binding.hmacKey } }),
    ...(validSeconds !== undefined && { certificateValidityPeriod: validSeconds }),
  };
  await writeFile(file('config.json'), JSON.stringify({ pebble }));
  const names = startNames(dns, dnsManagement);
  const server = spawn('pebble', ['-config', file('config.json'), '-dnsserver', `127.0.0.1:${dns}`], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await Promise.all([said(server, 'ACME directory available'), said(names, 'Starting')]);
  return {
    authority: {
      directoryUrl: `https://127.0.0.1:${api}/dir`,
      ca: own.certificate,
      email: 'ops@example.com',
    },
    async stop() {
      for (const child of [server, names]) {
        child.kill();
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true });
    },
  };
}

/** A name server that says of every name that it is this machine. */
function startNames(port: number, managementPort: number): ChildProcess {
  const flags = {
    defaultIPv4: '127.0.0.1',
    defaultIPv6: '',
    dns01: `127.0.0.1:${port}`,
    management: `127.0.0.1:${managementPort}`,
    http01: '',
    https01: '',
    tlsalpn01: '',
  };
  const list = Object.entries(flags).flatMap(([name, value]) => [`-${name}`, value]);
  return spawn('pebble-challtestsrv', list, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Waits for a line of the process. Rejects with all it said when it ends before. */
function said(child: ChildProcess, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const take = (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(line)) resolve();
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('exit', () => reject(new Error(text)));
  });
}
