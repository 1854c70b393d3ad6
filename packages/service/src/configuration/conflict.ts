import { inWords } from '@portcullis/contract/configuration';
import { sql } from 'kysely';
import { type Failure, failure } from '../outcome.ts';
import { containsText, type Trx } from '../storage/index.ts';
import { touchesOf, versionLines } from './history.ts';

/** A stored thing that somebody else may have saved since a client read it. */
export interface Versioned {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  /** absent where the history alone tells */
  readonly updatedBy?: string;
  /** Unix milliseconds */
  readonly updatedAt: number;
}

/** Versions that are looked through for what changed; who is further behind reads all anew anyway. */
const looksBack = 20;

/** A change that a client does not know of. */
export interface Since {
  readonly who: string;
  readonly when: string;
  readonly fields: readonly string[];
}

/** Who changed a thing after a version of it, newest first, and in which fields. */
async function changesSince(trx: Trx, { kind, id }: Versioned, version: number): Promise<Since[]> {
  const lines = await versionLines(trx)
    .where(containsText(sql<string>`coalesce(touched, changes)`, JSON.stringify(id)))
    .orderBy('version', 'desc')
    .limit(looksBack)
    .execute();
  return lines.flatMap((line) =>
    touchesOf(line)
      .filter((touch) => touch.kind === kind && touch.id === id && touch.version > version)
      .map(({ fields }) => ({ who: line.actor, when: new Date(line.created_at).toISOString(), fields })),
  );
}

/**
 * Refuses a change that was made on a stale version, and says who changed what since.
 * @param sent the version that the client changed; absent: the client does not mind
 * @returns undefined where the version is the stored one
 */
export async function staleVersion(
  trx: Trx,
  stored: Versioned,
  sent: number | string | undefined,
): Promise<Failure | undefined> {
  if (sent === undefined || String(sent) === String(stored.version)) return undefined;
  return conflictOf(stored, await changesSince(trx, stored, Number(sent)));
}

/** The refusal of a change that was made on a stale version. @param since who changed what after that version */
export function conflictOf(
  stored: Pick<Versioned, 'version' | 'updatedAt' | 'updatedBy'>,
  since: readonly Since[],
): Failure {
  const fields = [...new Set(since.flatMap((one) => one.fields))];
  const what = fields.length === 0 ? 'this' : inWords(fields);
  const when = new Date(stored.updatedAt).toISOString();
  const names = new Set([stored.updatedBy ?? [], ...since.map((one) => one.who)].flat());
  const who = [...names].join(' and ') || 'Somebody else';
  const byField = since.flatMap((one) =>
    one.fields.map((path) => ({ path, message: `${one.who} changed this at ${one.when}` })),
  );
  return failure('version_conflict', {
    message: `${who} changed ${what} in the meantime, last at ${when}. Reload and try again`,
    issues: [{ path: 'version', message: `The stored version is ${stored.version}` }, ...byField],
  });
}
