import type { ThreatEvent } from '@portcullis/contract/monitoring';

/** The five groups of the threat analysis, by words that stand in a threat's type. */
const keywords = {
  sql: ['sql'],
  xss: ['xss', 'script'],
  bot: ['bot'],
  ddos: ['ddos', 'rate'],
  path: ['path', 'traversal'],
} as const;

export type ThreatGroup = keyof typeof keywords;

/** What one card shows. */
export interface ThreatCount {
  group: ThreatGroup;
  detected: number;
  /** of which only action 'blocked' counts as blocked */
  blocked: number;
}

/** Counts threats by group; a type that fits two groups counts in the first. */
export function groupThreats(events: readonly ThreatEvent[]): ThreatCount[] {
  const groups = Object.keys(keywords) as ThreatGroup[];
  const counts = new Map(groups.map((group) => [group, { group, detected: 0, blocked: 0 }]));
  for (const event of events) {
    const type = event.type.toLowerCase();
    const group = groups.find((name) => keywords[name].some((word) => type.includes(word)));
    const count = group === undefined ? undefined : counts.get(group);
    if (!count) continue;
    count.detected += 1;
    if (event.action === 'blocked') count.blocked += 1;
  }
  return [...counts.values()];
}
