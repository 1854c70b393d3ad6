import { existsSync } from 'node:fs';
import path from 'node:path';
import { type AdminAction, createAuditLog } from '../audit/index.ts';
import { requireFittingKey } from '../auth/index.ts';
import { isOnDuty } from '../duty/index.ts';
import { carryKey, keyFile, loadSealer, refuseOtherKey } from '../sealing/index.ts';
import { StartError } from '../start-error.ts';
import {
  type CarriedTable,
  type CarryProgress,
  countRows,
  explainOpenFailure,
  heldMoment,
  migrations,
  openEmptyPostgres,
  openStorage,
  planOf,
  type Storage,
  sqliteFileName,
  storeAsFile,
  type Trx,
  tablesToCarry,
} from '../storage/index.ts';
import { type End, nameOfEnd } from './end.ts';

export interface MoveOptions {
  readonly from: End;
  readonly to: End;
  /** whose key opens the secrets of a database of PostgreSQL; one of SQLite has its own beside it */
  readonly dataDir: string;
  /** looks at both ends and reads the source, but writes nothing */
  readonly dryRun: boolean;
  /** takes one moment of a source that is in use: what is stored in it afterwards stays there */
  readonly whileRunning: boolean;
  /** Unix milliseconds */
  readonly now: number;
  readonly onProgress?: (progress: CarryProgress) => void;
}

/** What was moved, or would be. */
export interface Moved {
  /** each table with its rows; after a move with the digest that both ends have */
  readonly tables: readonly (Pick<CarriedTable, 'name' | 'rows'> & Partial<CarriedTable>)[];
  /** the key that opens the target's secrets */
  readonly keyFile: string;
}

/**
 * Carries an installation from one database to another and compares every row. The source stays as it is; a failure
 * leaves nothing in the target. On SQLite no service may run on the source's folder: the caller sees to it.
 * @throws StartError with cause and mend, naming the end that it concerns
 */
export async function moveInstallation(options: MoveOptions): Promise<Moved> {
  const { from, to } = options;
  const keyFolder = from.kind === 'sqlite' ? from.folder : options.dataDir;
  const target = await at('To', to, () => openTarget(to, keyFolder));
  try {
    const source = await at('From', from, () => openSource(options, keyFolder));
    try {
      const tables = options.dryRun ? await countAll(source) : await target.take(source, options);
      return { tables, keyFile: keyFile(to.kind === 'sqlite' ? to.folder : keyFolder) };
    } finally {
      await source.close();
    }
  } finally {
    await target.close();
  }
}

async function openSource(
  { from, dataDir, whileRunning, dryRun }: MoveOptions,
  keyFolder: string,
): Promise<Storage> {
  const place = from.kind === 'sqlite' ? { dataDir: from.folder } : { dataDir, databaseUrl: from.url };
  const source = await openStorage({ ...place, asItStands: true });
  try {
    await requireFittingKey(source.read, await loadSealer(keyFolder, { make: false }));
    if (from.kind === 'postgres' && !whileRunning && !dryRun && (await isOnDuty(source.read))) {
      throw new StartError(
        'A service works on this database, and what it stores from now on would not be moved',
        'Stop every service, wait ten seconds after one that was killed; or rehearse with --while-running',
      );
    }
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function countAll(source: Storage): Promise<Moved['tables']> {
  const plan = await planOf(migrations);
  return heldMoment(source, async (side) => {
    const counted = [];
    for (const table of await tablesToCarry(plan, side)) {
      counted.push({ name: table.name, rows: await countRows(side.db, table) });
    }
    return counted;
  });
}

/** An end that was looked at and can take an installation. */
interface Target {
  take(source: Storage, options: MoveOptions): Promise<CarriedTable[]>;
  close(): Promise<void>;
}

async function openTarget(to: End, keyFolder: string): Promise<Target> {
  if (to.kind === 'postgres') {
    const empty = await openEmptyPostgres(to.url);
    return {
      async take(source, options) {
        const finish = async (trx: Trx) => {
          await createAuditLog(source, () => options.now).append(trx, record(options));
        };
        return at('To', to, () => empty.fill(source, { ...carryOptions(options), finish }));
      },
      close: () => empty.close(),
    };
  }
  const file = path.join(to.folder, sqliteFileName);
  if (existsSync(file)) {
    throw new StartError(
      `There is a database already: ${file}`,
      'Name another folder, or move that file and those beside it (-wal, -shm) away',
    );
  }
  await refuseOtherKey(keyFolder, to.folder);
  return {
    async take(source, options) {
      const undoKey = await carryKey(keyFolder, to.folder);
      try {
        return await storeAsFile(source, migrations, file, {
          ...carryOptions(options),
          finish: async (written) => {
            const audit = createAuditLog(written, () => options.now);
            await written.transaction((trx) => audit.append(trx, record(options)));
          },
        });
      } catch (error) {
        await undoKey();
        throw explainEnd('To', to, error);
      }
    },
    async close() {},
  };
}

const carryOptions = ({ from, to, onProgress }: MoveOptions) => ({
  onProgress,
  explain: {
    source: (error: unknown) => explainEnd('From', from, error),
    target: (error: unknown) => explainEnd('To', to, error),
  },
});

const record = ({ from, to }: MoveOptions): AdminAction => ({
  action: 'database.move',
  level: 'warning',
  message: `The database was moved from ${nameOfEnd(from)} to ${nameOfEnd(to)}`,
  actor: 'system',
  ip: '',
  details: { from: from.kind, to: to.kind },
});

/** Thrown where the end is known already. */
class EndError extends StartError {}

async function at<T>(side: 'From' | 'To', end: End, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainEnd(side, end, error);
  }
}

/** An error in the words of the end that it concerns; what is a bug comes back as it is. */
function explainEnd(side: 'From' | 'To', end: End, error: unknown): unknown {
  if (error instanceof EndError) return error;
  const place = end.kind === 'sqlite' ? { dataDir: end.folder } : { dataDir: '', databaseUrl: end.url };
  const explained = explainOpenFailure(error, place);
  if (!(explained instanceof StartError)) return error;
  const message = `${side} ${nameOfEnd(end)}: ${explained.message}`;
  return new EndError(message, explained.mend, { cause: error });
}
