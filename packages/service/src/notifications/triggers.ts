import type { AttackTally } from '@portcullis/contract/link';
import type { NotificationSettings } from '@portcullis/contract/notifications';
import { z } from 'zod';
import type { AdminRecord } from '../audit/index.ts';
import { AlertWatch, type StandingAlert } from './alert-watch.ts';
import { AttackWindow } from './attack-window.ts';
import {
  attackMessage,
  changeMessage,
  loadMessage,
  type Message,
  siteDownMessage,
  siteUpMessage,
} from './messages.ts';
import { type SiteState, SiteWatch } from './site-watch.ts';

/** What there is to be seen. */
export interface Sights {
  readonly now: () => number;
  /** enabled sites whose health is known */
  siteStates(): readonly SiteState[];
  /** load of the machine in percent; undefined while it is not known */
  loadPercent(): number | undefined;
  siteName(id: string): string | undefined;
}

/** Load is high once it was seen high this often in a row. */
const highAfter = 3;

type Toggles = NotificationSettings['notifications'];

/** Turns what happens into messages, by the toggles and thresholds. What was told already is the outbox's to know. */
export class Triggers {
  readonly #sights: Sights;
  readonly #attacks = new AttackWindow();
  readonly #sites = new SiteWatch();
  readonly #alerts: AlertWatch;
  #timesHigh = 0;

  constructor(sights: Sights) {
    this.#sights = sights;
    this.#alerts = new AlertWatch((id) => sights.siteName(id));
  }

  onAttacks(attacks: readonly AttackTally[]): void {
    this.#attacks.add(attacks, this.#sights.now());
  }

  /** @param alerts all that last now */
  onAlerts(alerts: readonly StandingAlert[]): void {
    this.#alerts.see(alerts);
  }

  /** For while there is nobody to tell: what is bad when there is somebody counts as news. */
  rest(): void {
    this.#alerts.forget();
  }

  /** @returns what is to be told after another look */
  look(toggles: Toggles): Message[] {
    const alerts = this.#alerts.take();
    return [
      ...this.#lookAtAttacks(toggles),
      ...this.#lookAtSites(toggles),
      ...this.#lookAtLoad(toggles),
      ...(toggles.notifyOnSystem ? alerts : []),
    ];
  }

  #lookAtAttacks({ notifyOnAttacks, attackThreshold }: Toggles): Message[] {
    const minute = this.#attacks.over(attackThreshold, this.#sights.now());
    return minute && notifyOnAttacks ? [attackMessage(minute)] : [];
  }

  #lookAtSites({ notifyOnSiteDown }: Toggles): Message[] {
    const changes = this.#sites.changes(this.#sights.siteStates());
    if (!notifyOnSiteDown) return [];
    return changes.map((site) => (site.healthy ? siteUpMessage(site) : siteDownMessage(site, site.reason)));
  }

  #lookAtLoad({ notifyOnHighLoad, loadThreshold }: Toggles): Message[] {
    const load = this.#sights.loadPercent();
    this.#timesHigh = load !== undefined && load >= loadThreshold ? this.#timesHigh + 1 : 0;
    const isHigh = load !== undefined && this.#timesHigh >= highAfter;
    return isHigh && notifyOnHighLoad ? [loadMessage(load, loadThreshold)] : [];
  }
}

const ruleActions = /^(rule|ruleset|access)\./;

/** Actions that change protection only sometimes: their details say. */
const widerActions = /^(site\.update$|configuration\.)/;
const ruleKinds: ReadonlySet<string> = new Set(['rule', 'ruleset', 'address_list']);
const protectionFields: ReadonlySet<string> = new Set([
  'security_level',
  'protection_config',
  'exceptions',
  'failure_modes',
]);
const Touched = z.object({ kinds: z.array(z.string()), fields: z.array(z.string()) });

/** Whether an action changed what is let through and what is not. */
function changesProtection({ action, details }: AdminRecord): boolean {
  if (ruleActions.test(action)) return true;
  const touched = widerActions.test(action) ? Touched.safeParse(details).data : undefined;
  if (!touched) return false;
  return (
    touched.kinds.some((kind) => ruleKinds.has(kind)) ||
    touched.fields.some((field) => protectionFields.has(field))
  );
}

/** @returns what is to be told of an admin action; undefined where its toggle is off or it is neither of users nor of rules */
export function messageOfAction(
  record: AdminRecord,
  { notifyOnUserChanges, notifyOnRuleChanges }: Toggles,
): Message | undefined {
  const { action, message, actor } = record;
  if (action.startsWith('user.')) {
    return notifyOnUserChanges ? changeMessage('user_change', message, actor) : undefined;
  }
  return notifyOnRuleChanges && changesProtection(record)
    ? changeMessage('rule_change', message, actor)
    : undefined;
}
