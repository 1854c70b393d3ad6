import type { AuditEntry, SecurityEvent } from '@portcullis/contract/events';
import type { PeerMessage, Peers } from '@portcullis/contract/link';
import type { AuditLog } from '../audit/index.ts';
import { entryOfRecord } from '../audit/index.ts';
import type { TokenSigner } from '../auth/index.ts';
import type { UnderWay } from '../certificates/index.ts';
import type { Configuration } from '../configuration/index.ts';
import type { Duty } from '../duty/index.ts';
import type { EventIntake } from '../events/index.ts';
import type { FleetWatch } from '../fleet/index.ts';
import type { Log } from '../log.ts';
import { attacksIn, type Notifications } from '../notifications/index.ts';
import type { LogHub } from '../streams/index.ts';

/** A lost word costs so long at most. */
const lookEveryMs = 2000;
const sayReadingEveryMs = 3000;
/** A service that read and said nothing for so long reads no more. */
const readingForMs = 10_000;
/** Entries of one message: a quarter of a megabyte or so. */
const entriesAtOnce = 250;
/** A reader's word takes less than this to be heard; what is older it finds stored. */
const untoldForMs = 5000;
const untoldKept = 20;

export interface PeerParts {
  readonly log: Log;
  /** Unix milliseconds */
  readonly now: () => number;
  readonly duty: Duty;
  readonly configuration: Configuration;
  readonly signer: TokenSigner;
  readonly intake: EventIntake;
  readonly audit: AuditLog;
  readonly hub: LogHub;
  readonly notifications: Notifications;
  readonly fleet: FleetWatch;
  readonly issuing: UnderWay;
  siteName(siteId: string): string | undefined;
  /** as readers of the live log see them */
  entriesOf(events: readonly SecurityEvent[]): AuditEntry[];
  /** closes the streams here whose sessions ended */
  recheckStreams(): void;
}

/** What this service hears from the others, and tells them. */
export interface PeerExchange {
  start(): void;
  stop(): void;
  /** Sessions ended here: the streams of theirs may hang on another service. */
  sessionsEnded(): void;
  /** The key that signs tokens was replaced here. */
  tokenKeyReplaced(): void;
}

/** Keeps services on one database of one mind: each looks for itself now and then, words of the others make it at once. */
export function createPeerExchange(parts: PeerParts, peers: Peers): PeerExchange {
  const { configuration, intake, audit, hub, duty, now, siteName, signer, issuing } = parts;
  const timers: NodeJS.Timeout[] = [];
  const ends: (() => void)[] = [];
  const complain = (error: unknown) =>
    parts.log.warn('What other services changed could not be read', { reason: String(error) });
  const look = () => void Promise.all([configuration.refresh(), signer.reload()]).catch(complain);
  const readers = new ReadersElsewhere(peers);
  const sayReading = () => {
    if (hub.hasReaders) peers.tell({ type: 'reading' });
  };
  const hear = hearing(parts, readers, complain);
  return {
    start() {
      timers.push(setInterval(look, lookEveryMs), setInterval(sayReading, sayReadingEveryMs));
      for (const timer of timers) timer.unref();
      hub.onReader(sayReading);
      ends.push(
        peers.subscribe(hear),
        configuration.subscribe(({ version }) => peers.tell({ type: 'configuration', version })),
        intake.subscribe((events) => {
          readers.show(parts.entriesOf(events));
          const attacks = duty.held ? [] : attacksIn(events, now(), siteName);
          if (attacks.length > 0) peers.tell({ type: 'attacks', attacks });
        }),
        issuing.subscribe((siteId, steps) =>
          peers.tell({ type: 'issuing', siteId, ...(steps && { steps: [...steps] }) }),
        ),
        audit.subscribe((record) => readers.show([entryOfRecord(record)])),
      );
    },
    stop() {
      for (const timer of timers.splice(0)) clearInterval(timer);
      for (const end of ends.splice(0)) end();
    },
    sessionsEnded: () => peers.tell({ type: 'sessions-ended' }),
    tokenKeyReplaced: () => peers.tell({ type: 'token-key' }),
  };
}

/** What is done with a word of another service. */
function hearing(
  parts: PeerParts,
  readers: ReadersElsewhere,
  complain: (error: unknown) => void,
): (message: PeerMessage) => void {
  const { configuration, signer } = parts;
  return (message) => {
    switch (message.type) {
      case 'configuration':
        if (message.version > configuration.current().version) configuration.refresh().catch(complain);
        return;
      case 'sessions-ended':
        return parts.recheckStreams();
      case 'token-key':
        return void signer.reload().catch(complain);
      case 'reading':
        return readers.present();
      case 'entries':
        return parts.hub.publish(message.entries);
      case 'issuing':
        return parts.issuing.hear(message.siteId, message.steps);
      case 'service':
        return parts.fleet.hearService(message.report);
      case 'attacks':
        return parts.notifications.onAttacks(message.attacks);
    }
  };
}

/** Who reads the live log on another service, and what was stored here for them. */
class ReadersElsewhere {
  readonly #peers: Peers;
  #readUntil = Number.NEGATIVE_INFINITY;
  #untold: { readonly at: number; readonly entries: readonly AuditEntry[] }[] = [];

  constructor(peers: Peers) {
    this.#peers = peers;
  }

  /** Somebody reads there. One who came just now is told what was stored while the word was on its way. */
  present(): void {
    const now = performance.now();
    const came = now > this.#readUntil;
    this.#readUntil = now + readingForMs;
    if (!came) return;
    for (const { at, entries } of this.#untold.splice(0)) if (now - at < untoldForMs) this.#tell(entries);
  }

  /** @param entries stored here, oldest first */
  show(entries: readonly AuditEntry[]): void {
    const now = performance.now();
    if (now <= this.#readUntil) {
      this.#tell(entries);
      return;
    }
    this.#untold = this.#untold.filter(({ at }) => now - at < untoldForMs).slice(-untoldKept);
    this.#untold.push({ at: now, entries: entries.slice(-entriesAtOnce) });
  }

  #tell(entries: readonly AuditEntry[]): void {
    for (let at = 0; at < entries.length; at += entriesAtOnce) {
      this.#peers.tell({ type: 'entries', entries: entries.slice(at, at + entriesAtOnce) });
    }
  }
}
