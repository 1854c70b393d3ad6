import type { SecurityEvent } from '@portcullis/contract/events';
import type {
  ConfigSource,
  Counters,
  Delivery,
  Directive,
  EventBatch,
  EventSink,
  GatewayReport,
} from '@portcullis/contract/link';

/** A control plane in the test's own hands. */
export class ManualSource implements ConfigSource {
  #onDirective: ((directive: Directive) => void) | undefined;
  readonly #first: readonly Directive[];

  constructor(first: readonly Directive[] = []) {
    this.#first = first;
  }

  start(onDirective: (directive: Directive) => void): void {
    this.#onDirective = onDirective;
    for (const directive of this.#first) onDirective(directive);
  }

  async stop(): Promise<void> {
    this.#onDirective = undefined;
  }

  send(directive: Directive): void {
    if (!this.#onDirective) throw new Error('the gateway does not listen');
    this.#onDirective(directive);
  }
}

/** Collects what a gateway delivers, each batch once, and can be away. */
export class CollectingSink implements EventSink {
  readonly batches = new Map<string, EventBatch>();
  readonly reports: GatewayReport[] = [];
  readonly sightings: SecurityEvent[] = [];
  away = false;
  #waiting: (() => void)[] = [];

  async deliver(batch: EventBatch): Promise<Delivery> {
    if (this.away) return { delivered: false, retry: true, reason: 'away' };
    this.batches.set(batch.id, structuredClone(batch));
    this.#wake();
    return { delivered: true };
  }

  async report(report: GatewayReport): Promise<Delivery> {
    this.reports.push(report);
    this.#wake();
    return { delivered: true };
  }

  async sight(sightings: readonly SecurityEvent[]): Promise<Delivery> {
    this.sightings.push(...sightings);
    this.#wake();
    return { delivered: true };
  }

  get events(): SecurityEvent[] {
    return [...this.batches.values()].flatMap((batch) => batch.events);
  }

  get counters(): Counters[] {
    return [...this.batches.values()].flatMap((batch) => batch.counters);
  }

  /** Resolves as soon as something that arrived makes `found` return a value. */
  async until<T>(found: () => T | undefined | false): Promise<T> {
    for (;;) {
      const value = found();
      if (value !== undefined && value !== false) return value;
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  /** @returns the first event that satisfies the condition, waiting for it */
  event(matches: (event: SecurityEvent) => boolean): Promise<SecurityEvent> {
    return this.until(() => this.events.find(matches));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
