import type { BanInForce, LiftedBan } from '../access/index.ts';
import type { Fleet } from '../fleet/index.ts';
import type { EventBatch, GatewayReport, Sighting } from './batch.ts';
import type { PeerMessage } from './peers.ts';
import type { ConfigSnapshot } from './snapshot.ts';

/**
 * What the control plane tells a gateway. `watch` asks for samples of plain passes while someone looks; `operators`
 * names the addresses from which the console is in use, which are never banned; `bans` tells of bans that began on some
 * gateway and of those that were lifted, all of them to a gateway that connects and later what is new.
 */
export type Directive =
  | { readonly type: 'snapshot'; readonly snapshot: ConfigSnapshot }
  | { readonly type: 'watch'; readonly active: boolean }
  | { readonly type: 'operators'; readonly addresses: readonly string[] }
  | {
      readonly type: 'bans';
      readonly began: readonly BanInForce[];
      readonly lifted: readonly LiftedBan[];
    };

/** Where a gateway's configuration comes from. It reconnects by itself and repeats the newest snapshot. */
export interface ConfigSource {
  /** @param onDirective called in order; what it throws is a bug of the gateway */
  start(onDirective: (directive: Directive) => void): void;
  stop(): Promise<void>;
}

export type Delivery =
  | { readonly delivered: true }
  /** `retry` is false when the receiver refused the batch for good */
  | { readonly delivered: false; readonly retry: boolean; readonly reason: string };

/** Where a gateway's events go. Never throws: what was not delivered stays in the caller's spool. */
export interface EventSink {
  deliver(batch: EventBatch): Promise<Delivery>;
  report(report: GatewayReport): Promise<Delivery>;
  sight(sightings: readonly Sighting[]): Promise<Delivery>;
}

/** The service's side of the link: what a transport hands to gateways and takes from them. */
export interface ControlPlane {
  /** the newest directives for a gateway that connects */
  current(): readonly Directive[];
  /** @returns ends the subscription */
  subscribe(onDirective: (directive: Directive) => void): () => void;
  /** resolves once the batch is committed; a repeat of a known id resolves at once */
  accept(batch: EventBatch): Promise<Delivery>;
  /** the same for several at once, in one transaction: all or none */
  acceptAll(batches: readonly EventBatch[]): Promise<Delivery>;
  acceptReport(report: GatewayReport): void;
  acceptSightings(sightings: readonly Sighting[]): void;
  /** every gateway and service that was seen of late; undefined before the start and after the stop */
  fleet(): Fleet | undefined;
  /**
   * Told where gateways were given a newer version than `current()`. Another service was faster, or the database is
   * an older one put back, whose next version then must lie above.
   */
  overtaken(version: number): Promise<void>;
}

/** The other services on the same database. Words may be lost: each service also looks for itself now and then. */
export interface Peers {
  /** whether what others say arrives now */
  readonly hearing: boolean;
  tell(message: PeerMessage): void;
  /** @returns ends the subscription */
  subscribe(listener: (message: PeerMessage) => void): () => void;
}
