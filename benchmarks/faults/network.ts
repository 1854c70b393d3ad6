import { execFileSync } from 'node:child_process';

const back = { bridge: 'pc-back', prefix: '198.18.0' } as const;
const front = { bridge: 'pc-front', prefix: '198.18.1' } as const;
/** Addresses set aside for benchmarks: RFC 2544. */
export const clients = '198.18.0.0/15';

/** A machine's share of the network: what starts a process there, and the cable to the servers. */
export interface Machine {
  readonly name: string;
  readonly command: readonly string[];
  /** where the servers and services see it */
  readonly address: string;
  /** where clients see it, and it sees the upstream */
  readonly frontAddress: string;
  /** Pulls the cable to the servers: what is sent gets lost without a word. */
  cut(): void;
  mend(): void;
}

/** Machines that share one network for servers and one for clients, all made by this process. */
export interface Network {
  /** where this process is on either */
  readonly address: string;
  readonly frontAddress: string;
  machine(name: string): Machine;
  remove(): void;
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });

/**
 * To be called in a network namespace of one's own, as by `unshare --net --mount`, so that nothing of the machine is
 * touched.
 */
export function createNetwork(): Network {
  ip('link', 'set', 'lo', 'up');
  for (const { bridge, prefix } of [back, front]) {
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('address', 'add', `${prefix}.1/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
  }
  const namespaces: string[] = [];
  return {
    address: `${back.prefix}.1`,
    frontAddress: `${front.prefix}.1`,
    machine(name) {
      const namespace = `pc-${process.pid}-${name}`;
      const number = namespaces.push(namespace) + 1;
      ip('netns', 'add', namespace);
      ip('-n', namespace, 'link', 'set', 'lo', 'up');
      for (const [side, { bridge, prefix }] of Object.entries({ b: back, f: front })) {
        const cable = `pc${side}${number}`;
        ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', `eth-${side}`, 'netns', namespace);
        ip('link', 'set', cable, 'master', bridge, 'up');
        ip('-n', namespace, 'address', 'add', `${prefix}.${number}/24`, 'dev', `eth-${side}`);
        ip('-n', namespace, 'link', 'set', `eth-${side}`, 'up');
      }
      return {
        name,
        command: ['nsenter', `--net=/run/netns/${namespace}`],
        address: `${back.prefix}.${number}`,
        frontAddress: `${front.prefix}.${number}`,
        cut: () => void ip('link', 'set', `pcb${number}`, 'down'),
        mend: () => void ip('link', 'set', `pcb${number}`, 'up'),
      };
    },
    remove() {
      for (const namespace of namespaces) ip('netns', 'delete', namespace);
    },
  };
}
