import type { BanInForce, LiftedBan } from '@portcullis/contract/access';
import type { Directive } from '@portcullis/contract/link';
import type { Configuration } from '../configuration/index.ts';
import type { Log } from '../log.ts';
import type { Storage } from '../storage/index.ts';
import { type BanRow, bansInForce, forgetBans, liftedBans } from './repository.ts';

export interface BanParts {
  readonly storage: Storage;
  readonly log: Log;
  readonly now: () => number;
  readonly configuration: Pick<Configuration, 'current' | 'subscribe'>;
  readonly intake: { subscribeToBans(listener: () => void): unknown };
  /** told of what is new, in order */
  readonly onChange: (directive: Directive) => void;
}

/**
 * Bans of all gateways: what began on one holds on all, and so does a lift. What gateways are told of is bounded; a ban
 * beyond it holds where it began. While no service is there, each gateway bans for itself and nothing is lifted.
 */
export interface Bans {
  /** what a gateway that connects is told */
  current(): Extract<Directive, { type: 'bans' }>;
  /** Reads them anew and tells of a change. Where nobody is to be banned any more, all of them are forgotten. */
  look(): Promise<void>;
}

/** So many bans and so many lifts, the newest of each, are told to gateways. */
const maxTold = 10_000;

/** @see Bans */
export function createBans({ storage, log, now, configuration, intake, onChange }: BanParts): Bans {
  let began: readonly BanRow[] = [];
  let lifted: readonly LiftedBan[] = [];
  let known: ReadonlySet<string> = new Set();
  let turn = Promise.resolve();
  let waiting: Promise<void> | undefined;
  const told = (rows: readonly BanRow[]): BanInForce[] =>
    rows
      .map(({ id, address, ends_at }) => ({ id, address, forMs: ends_at - now() }))
      .filter(({ forMs }) => forMs > 0);
  const read = async () => {
    let rows = await bansInForce(storage.read, now(), maxTold);
    if (rows.length > 0 && !configuration.current().security.blockSuspiciousIPs) {
      await forgetBans(storage.db);
      rows = [];
    }
    const ended = await liftedBans(storage.read, now(), maxTold);
    const fresh = rows.filter(({ id }) => !known.has(id));
    const gone = ended.filter(({ id }) => !known.has(`lifted ${id}`));
    began = rows;
    lifted = ended.map(({ id, address }) => ({ id, address }));
    known = new Set([...rows.map(({ id }) => id), ...ended.map(({ id }) => `lifted ${id}`)]);
    if (fresh.length + gone.length === 0) return;
    onChange({
      type: 'bans',
      began: told(fresh),
      lifted: gone.map(({ id, address }) => ({ id, address })),
    });
  };
  const look = () => {
    if (waiting) return waiting;
    // One after the other, so that what is told is told in order; all that asks before the next begins shares it.
    waiting = turn
      .catch(() => undefined)
      .then(() => {
        waiting = undefined;
        return read();
      });
    turn = waiting;
    return turn;
  };
  const lookSoon = () => {
    look().catch((error: unknown) => log.error('Bans could not be read', { reason: String(error) }));
  };
  configuration.subscribe(lookSoon);
  intake.subscribeToBans(lookSoon);
  return {
    current: () => ({ type: 'bans', began: told(began), lifted }),
    look,
  };
}
