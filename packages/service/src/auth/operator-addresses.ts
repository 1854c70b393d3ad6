import { readSettings } from '../settings/index.ts';
import type { Storage } from '../storage/index.ts';

export interface OperatorAddressParts {
  readonly storage: Storage;
  readonly now: () => number;
  /** told of every change, in order */
  readonly onChange: (addresses: readonly string[]) => void;
}

/** Addresses from which the console is in use, so that gateways never ban the people who could lift the ban. */
export interface OperatorAddresses {
  /** as of the last look, sorted */
  current(): readonly string[];
  /** Reads them anew and tells of a change. */
  look(): Promise<void>;
}

/** More people than this are not at their consoles at once. */
const maxAddresses = 1000;

/** @see OperatorAddresses */
export function createOperatorAddresses({ storage, now, onChange }: OperatorAddressParts): OperatorAddresses {
  let current: readonly string[] = [];
  return {
    current: () => current,
    async look() {
      const { sessionTimeout } = await readSettings(storage.read, 'security');
      const rows = await storage.read
        .selectFrom('sessions')
        .select('ip')
        .distinct()
        .where('expires_at', '>', now())
        .where('last_seen_at', '>', now() - sessionTimeout * 1000)
        .where('ip', '!=', '')
        .orderBy('ip')
        .limit(maxAddresses)
        .execute();
      const found = rows.map(({ ip }) => ip);
      if (found.join() === current.join()) return;
      current = found;
      onChange(found);
    },
  };
}
