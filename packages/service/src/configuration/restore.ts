import { failure, invalid, type Outcome, success } from '../outcome.ts';
import type { Trx } from '../storage/index.ts';
import type { Author, Change, ConfigurationWork, EntityChange } from './change.ts';
import { findVersion } from './history.ts';
import { historyStart } from './retention.ts';
import { type EntityState, type ReadPresent, statesAt } from './states.ts';

/** How the things of one kind are read and put back. */
export interface Restorer {
  readonly kind: string;
  /** @returns it as history lines keep it; null where it does not exist */
  read(trx: Trx, id: string): Promise<unknown>;
  /** Takes it out, if it is there. */
  remove(trx: Trx, id: string): Promise<void>;
  /** Takes out what is kept beside it, once it is gone for good. */
  forget?(trx: Trx, id: string): Promise<void>;
  /**
   * Stores it as it stood, under a version higher than any it had.
   * @param present as it stands now, null where it does not exist
   * @returns how it stands then, or why it cannot be put back
   */
  put(
    trx: Trx,
    id: string,
    state: unknown,
    present: unknown,
    author: Author,
    now: number,
  ): Promise<Outcome<unknown>>;
}

interface Step extends EntityState {
  readonly restorer: Restorer;
  readonly present: unknown;
}

async function planned(
  trx: Trx,
  states: readonly EntityState[],
  restorers: readonly Restorer[],
): Promise<Step[]> {
  const steps: Step[] = [];
  // In the order of the restorers, for a ruleset needs its site and a rule its ruleset.
  for (const restorer of restorers) {
    for (const state of states.filter(({ kind }) => kind === restorer.kind)) {
      steps.push({ ...state, restorer, present: await restorer.read(trx, state.id) });
    }
  }
  return steps;
}

async function carryOut(
  trx: Trx,
  steps: readonly Step[],
  author: Author,
  now: number,
): Promise<Outcome<EntityChange[]>> {
  const changes: EntityChange[] = [];
  // What must go goes first, so that a domain which moved between sites is free again.
  for (const { restorer, id, state, present } of steps) {
    if (present !== null && (state === null || restorer.kind === 'site')) await restorer.remove(trx, id);
  }
  for (const { restorer, kind, id, name, state, present } of steps) {
    if (state === null) {
      if (present !== null) changes.push({ kind, id, name, before: present, after: null });
      await restorer.forget?.(trx, id);
      continue;
    }
    const put = await restorer.put(trx, id, state, present, author, now);
    if (!put.ok) return put;
    changes.push({ kind, id, name, before: present, after: put.value });
  }
  return success(changes);
}

/** Brings things to the states given, all of them or, where one cannot be put there, with a refusal. */
export async function bringTo(
  trx: Trx,
  states: readonly EntityState[],
  restorers: readonly Restorer[],
  author: Author,
  now: number,
): Promise<Outcome<EntityChange[]>> {
  return carryOut(trx, await planned(trx, states, restorers), author, now);
}

const untold = (version: number) =>
  failure('conflict', {
    message: `How everything stood at version ${version} cannot be told any more: it was changed beside the history`,
  });

/** Brings everything back to how it stood at a version. What did not change since is not touched. */
export function restoration(
  version: number,
  current: number,
  author: Author,
  restorers: readonly Restorer[],
): ConfigurationWork<undefined> {
  return async (trx, now): Promise<Outcome<Change<undefined>>> => {
    // The first version is the empty installation, which no change made.
    const isFirst = version === 1 && (await historyStart(trx)) === 1;
    if (!isFirst && !(await findVersion(trx, version))) return failure('not_found');
    const readPresent: ReadPresent = async (kind, id) =>
      (await restorers.find((one) => one.kind === kind)?.read(trx, id)) ?? null;
    const states = await statesAt(trx, version, readPresent);
    if (!states) return untold(version);
    if (states.length === 0) {
      return invalid([{ path: 'params.version', message: `Version ${current} is the one in force` }]);
    }
    const done = await bringTo(trx, states, restorers, author, now);
    if (!done.ok) return done;
    return success({
      value: undefined,
      action: 'configuration.restore',
      reason: `The configuration was brought back to version ${version}`,
      changes: done.value,
    });
  };
}
