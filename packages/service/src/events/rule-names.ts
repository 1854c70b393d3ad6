import type { Facet } from '@portcullis/contract/events';
import type { Storage } from '../storage/index.ts';
import { rowFilter } from './filter.ts';
import { searchEvents } from './search.ts';

interface RuleNames {
  readonly storage: Storage;
  /** @returns the name that operators gave a rule of theirs */
  ruleName(ruleId: string): Promise<string | undefined>;
}

/**
 * Names a rule among the most frequent ones: as its operator named it, else by what the newest event that it decided
 * says it found, since rules that are built in or read from a file are known to gateways alone.
 */
export async function namedRule({ storage, ruleName }: RuleNames, rule: Facet): Promise<Facet> {
  const { read, dialect } = storage;
  const name = (await ruleName(rule.value)) ?? (await newestMessage(rule.value));
  return name === undefined ? rule : { ...rule, name };

  async function newestMessage(ruleId: string): Promise<string | undefined> {
    const { events } = await searchEvents({ read, dialect, filter: rowFilter({ ruleId }), limit: 1 });
    return events[0]?.matches.find((match) => match.ruleId === ruleId)?.message;
  }
}
