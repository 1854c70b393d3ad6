import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isForbiddenAddress, isInternalAddress, isMetadataHost } from './addresses.ts';

/** Where a call may go: the address to connect to, whatever the name says a moment later. */
export interface Destination {
  readonly address: string;
  readonly family: 4 | 6;
  /** of this machine or of a private network */
  readonly internal: boolean;
}

/** Why a host leads nowhere. */
export interface NoDestination {
  readonly reason: string;
  /** false where another look-up cannot go better */
  readonly mayPass: boolean;
}

/** @returns every address of a name. @throws where it has none, or nobody can tell */
export type Resolver = (host: string) => Promise<readonly string[]>;

const underWay = new Map<string, Promise<readonly string[]>>();

/**
 * The system's. Each name is looked up once at a time: a silent name server holds one of the few threads that files
 * and passwords need too, for longer than anybody waits here.
 */
const systemResolver: Resolver = (host) => {
  let found = underWay.get(host);
  if (found === undefined) {
    found = lookup(host, { all: true })
      .then((all) => all.map(({ address }) => address))
      .finally(() => underWay.delete(host));
    underWay.set(host, found);
  }
  return found;
};

/** @throws the signal's reason where it comes first */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const give = () => reject(signal.reason);
  if (signal.aborted) give();
  signal.addEventListener('abort', give, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', give));
}

/** What a look-up that failed comes to. Name servers that are away now may answer later, and know a name then. */
function unresolved(name: string, error: unknown, signal: AbortSignal): NoDestination {
  if (signal.aborted) return { reason: `The name ${name} could not be looked up in time`, mayPass: true };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason =
    code === 'ENOTFOUND' ? `The name ${name} has no address` : `The name ${name} could not be looked up`;
  return { reason: code === '' || code === 'ENOTFOUND' ? reason : `${reason} (${code})`, mayPass: true };
}

/**
 * Resolves a host once. The caller connects to the address that came out, so that a name which answers differently
 * the second time (DNS rebinding) leads nowhere else.
 * @param host a name, or an address with or without brackets
 * @param signal ends the wait for name servers
 */
export async function resolveDestination(
  host: string,
  signal: AbortSignal,
  resolver: Resolver = systemResolver,
): Promise<Destination | NoDestination> {
  const name = host.replace(/^\[|\]$/g, '');
  const never = (why: string): NoDestination => ({ reason: `${name} ${why}`, mayPass: false });
  if (isMetadataHost(name)) return never('hands out credentials of the machine and is never called');
  let addresses: readonly string[];
  try {
    addresses = isIP(name) === 0 ? await before(signal, resolver(name)) : [name];
  } catch (error) {
    return unresolved(name, error, signal);
  }
  // One forbidden address among several is enough: the name is not to be trusted.
  if (addresses.some(isForbiddenAddress)) return never('leads to an address that is never called');
  const [address] = addresses;
  if (address === undefined) return { reason: `The name ${name} has no address`, mayPass: true };
  return { address, family: isIP(address) === 6 ? 6 : 4, internal: isInternalAddress(address) };
}
