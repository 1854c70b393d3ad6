import type { Issue } from '@portcullis/contract/api';
import {
  type Author,
  bringTo,
  type ConfigurationWork,
  type EntityChange,
  type Restorer,
  storedVersion,
} from '../configuration/index.ts';
import { failure, invalid, type Outcome, success } from '../outcome.ts';
import type { Sealer } from '../sealing/index.ts';
import { inSteps } from '../steps.ts';
import type { Storage, Trx } from '../storage/index.ts';
import type { StoredConfiguration } from '../stored-configuration.ts';
import { type Checkers, documentIssues } from './checks.ts';
import { desiredState } from './desired.ts';
import type { ImportedFile } from './imported-file.ts';
import { notesOn } from './notes.ts';
import { plannedStates } from './plan.ts';
import { readPresentState } from './present-state.ts';
import { settingsStates } from './settings.ts';

export interface ImportParts extends StoredConfiguration, Checkers {
  readonly storage: Storage;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** one for each kind, what others are a part of first */
  readonly restorers: readonly Restorer[];
}

export interface Imported {
  readonly changes: readonly EntityChange[];
  readonly notes: readonly string[];
}

/** Makes storage hold what the file wants. @returns what it changed, or all that is wrong */
async function bringIn(
  parts: ImportParts,
  trx: Trx,
  file: ImportedFile,
  author: Author,
  now: number,
): Promise<Outcome<Imported>> {
  const present = await readPresentState(parts, trx, now);
  const desired = desiredState(file.document, present, now);
  const settings = await settingsStates(trx, parts.sealer, file.document, file.secrets);
  const issues: Issue[] = [...documentIssues(file.document, desired, present, parts), ...settings.issues];
  if (issues.length > 0) return invalid(issues);
  const notes = await notesOn(parts, trx, file, desired, now);
  const states = [...settings.states, ...(await inSteps(plannedStates(desired, present, now)))];
  const brought = await bringTo(trx, states, parts.restorers, author, now);
  return brought.ok ? success({ changes: brought.value, notes }) : brought;
}

function outdated(version: number, base: number | undefined) {
  if (base === undefined || base === version) return undefined;
  return failure('version_conflict', {
    message: `Version ${version} of the configuration is in force by now, not ${base}. Compare again`,
  });
}

/** The import as one change of the configuration. */
export function importWork(
  parts: ImportParts,
  file: ImportedFile,
  author: Author,
): ConfigurationWork<Imported> {
  return async (trx, now) => {
    // The change has taken the next version already.
    const refused = outdated((await storedVersion(trx)) - 1, file.base);
    if (refused) return refused;
    const imported = await bringIn(parts, trx, file, author, now);
    if (!imported.ok) return imported;
    const reason = file.reason || 'The configuration was imported from a file';
    const { changes } = imported.value;
    return success({ value: imported.value, action: 'configuration.import', reason, changes });
  };
}

/** Carries the result of a rehearsal out of its transaction, which is undone. */
class Rehearsed extends Error {
  readonly outcome: Outcome<Imported & { readonly version: number }>;

  constructor(outcome: Rehearsed['outcome']) {
    super('rehearsed');
    this.outcome = outcome;
  }
}

/** Does all that an import would do and undoes it. @returns what it would change, and against which version */
export async function rehearseImport(
  parts: ImportParts,
  file: ImportedFile,
  author: Author,
): Promise<Rehearsed['outcome']> {
  try {
    return await parts.storage.transaction(async (trx) => {
      const version = await storedVersion(trx);
      const refused = outdated(version, file.base);
      if (refused) throw new Rehearsed(refused);
      const imported = await bringIn(parts, trx, file, author, parts.now());
      throw new Rehearsed(imported.ok ? success({ ...imported.value, version }) : imported);
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.outcome;
    throw error;
  }
}
