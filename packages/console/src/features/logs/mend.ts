import type { AuditEntry } from '@portcullis/contract/events';
import { messages } from '../../lib/messages/index.ts';

const words = messages.logs.mend;

type Permission = 'site:view' | 'rule:view' | 'settings:view';

/** Where what decided an event is set. */
export interface Mend {
  readonly label: string;
  readonly to: '/sites' | '/protection' | '/address-lists' | '/settings';
  readonly search: Readonly<Record<string, string>>;
  /** what the place asks for */
  readonly needs: Permission;
}

const ofSite = (entry: AuditEntry, section: string, label: string): Mend | undefined =>
  entry.siteId === undefined
    ? undefined
    : { label, to: '/sites', search: { site: entry.siteId, section }, needs: 'site:view' };

const ofSettings = (tab: 'general' | 'security', label: string): Mend => ({
  ...{ label, to: '/settings', search: { tab } },
  needs: 'settings:view',
});

/** Limits that hold for all sites together. */
const limitsOfAll = ['concurrent', 'installation'];

/** @returns the one place where an operator changes what decided an event; undefined where there is none */
export function mendOf(entry: AuditEntry): Mend | undefined {
  const { kind, siteId, ruleId } = entry;
  switch (kind) {
    case 'rate_limit':
      return limitsOfAll.includes(ruleId ?? '')
        ? ofSettings('security', words.limitOfAll)
        : ofSite(entry, 'rateLimit', words.rateLimit);
    case 'address_list':
      return ruleId === undefined || ruleId === 'ban'
        ? { label: words.ban, to: '/address-lists', search: {}, needs: 'rule:view' }
        : { label: words.list, to: '/address-lists', search: { list: ruleId }, needs: 'rule:view' };
    case 'custom_rule':
      return siteId === undefined || ruleId === undefined
        ? undefined
        : {
            label: words.rule,
            to: '/protection',
            search: { site: siteId, rule: ruleId },
            needs: 'rule:view',
          };
    case 'challenge':
      return ofSite(entry, 'botProtection', words.challenge);
    case 'response_leak':
      return ofSite(entry, 'answers', words.answers);
    case 'engine':
      return ofSite(entry, 'failures', words.failures);
    case 'protocol':
      return ofSettings('security', words.protocol);
    case 'maintenance':
      return ofSettings('general', words.maintenance);
    default:
      return undefined;
  }
}
