import type { Alert } from '@portcullis/contract/monitoring';
import { alertMessage, alertOverMessage, type Message } from './messages.ts';

/** An alert of Monitoring that lasts. */
export interface StandingAlert {
  /** one at a time lasts for a key */
  readonly key: string;
  readonly type: Alert['type'];
  readonly message: string;
  readonly siteId?: string;
}

/** Sites that are down and load have events of their own, with thresholds that operators choose. */
const toldElsewhere = /^(?:site_down:|cpu$)/;

/** What of a certificate is wrong changes, and it is still about that certificate. */
const topicOf = ({ key }: StandingAlert) => `alert:${key.replace(/^(certificate:[^:]+):.*$/, '$1')}`;

/** Turns alerts into messages: one as each begins, and one as it ends. */
export class AlertWatch {
  readonly #siteName: (id: string) => string | undefined;
  #standing: ReadonlyMap<string, StandingAlert> = new Map();
  #untold: Message[] = [];

  constructor(siteName: (id: string) => string | undefined) {
    this.#siteName = siteName;
  }

  /** @param alerts all that last now */
  see(alerts: readonly StandingAlert[]): void {
    const before = this.#standing;
    const ours = alerts.filter(({ key }) => !toldElsewhere.test(key));
    this.#standing = new Map(ours.map((alert) => [alert.key, alert]));
    const topics = new Set(ours.map(topicOf));
    const over = [...before.values()].filter((alert) => !topics.has(topicOf(alert)));
    this.#untold.push(
      ...over.map((alert) => alertOverMessage({ ...alert, topic: topicOf(alert), ...this.#site(alert) })),
      ...ours
        .filter(({ key }) => !before.has(key))
        .map((alert) => alertMessage({ ...alert, topic: topicOf(alert), ...this.#site(alert) })),
    );
  }

  /** @returns what is to be told since it was asked last */
  take(): Message[] {
    const taken = this.#untold;
    this.#untold = [];
    return taken;
  }

  /** Has what lasts count as news the next time. */
  forget(): void {
    this.#standing = new Map();
    this.#untold = [];
  }

  #site({ siteId }: StandingAlert) {
    return siteId === undefined ? {} : { site: { id: siteId, name: this.#siteName(siteId) ?? siteId } };
  }
}
