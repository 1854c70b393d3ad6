import { parseAddress } from '@portcullis/contract/access';
import { Recent } from '../memory/index.ts';
import { plainAddress } from './plain-address.ts';

interface Peer {
  requests: number;
  readonly clients: Set<string>;
  /** monotonic milliseconds, when the window that is counted began */
  since: number;
}

const windowMs = 600_000;
/** From so many requests in the window for so many clients on it may be a proxy. */
const [suspiciousRequests, suspiciousClients] = [50, 5];
/** Peers remembered; beyond it the one whose last request is longest ago is forgotten. */
const maxPeers = 1000;

/**
 * Notices a proxy that nobody named as trusted: one peer that forwards requests for several clients, all of whom are
 * then one client here. Anybody may send such a header, so this is a hint and decides nothing; of the header nothing is
 * ever told.
 */
export class HiddenProxies {
  readonly #peers = new Recent<Peer>(maxPeers);
  #found: { readonly address: string; readonly at: number } | undefined;

  /**
   * Counts a request of a peer that is not trusted, where it has the header.
   * @param now monotonic milliseconds
   */
  note(peerIp: string, forwardedFor: string | undefined, now: number): void {
    if (forwardedFor === undefined || parseAddress(peerIp) === undefined) return;
    const known = this.#peers.peek(peerIp);
    const peer =
      known && now - known.since < windowMs ? known : { requests: 0, clients: new Set<string>(), since: now };
    peer.requests++;
    // The last hop is the one that the peer itself would have written.
    const last = forwardedFor.slice(forwardedFor.lastIndexOf(',') + 1).trim();
    if (peer.clients.size < suspiciousClients && last.length <= 45 && parseAddress(last) !== undefined)
      peer.clients.add(plainAddress(last));
    this.#peers.set(peerIp, peer);
    if (peer.requests >= suspiciousRequests && peer.clients.size >= suspiciousClients)
      this.#found = { address: plainAddress(peerIp), at: now };
  }

  /** To be called where the trusted proxies change. */
  forget(): void {
    this.#found = undefined;
  }

  /** what to tell an operator, a sentence; undefined where nothing was noticed of late */
  get problem(): string | undefined {
    if (this.#found === undefined || performance.now() - this.#found.at >= windowMs) return undefined;
    return `${this.#found.address} sends requests with X-Forwarded-For for several clients and is no trusted proxy, so that all of them count as one client. Is it your proxy or balancer, name it under Settings, Security, Trusted proxies; anybody else may send such a header too, and then nothing is to be done`;
  }
}
