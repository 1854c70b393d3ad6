import { stat } from 'node:fs/promises';
import { open, type Reader, type Response, validate } from 'maxmind';
import { StartError } from '../start-error.ts';

/** Says of addresses where they are registered, by a database that the operator supplies. */
export interface Countries {
  /** whether there is a database */
  readonly available: boolean;
  /** @returns ISO 3166-1 alpha-2 code; undefined where the database does not know the address */
  countryOf(address: string): string | undefined;
  /** Reads the file anew where it was replaced. @throws Error where it cannot be read: what was read before stays */
  refresh(): Promise<void>;
}

type Database = Reader<Response>;

const isCode = (value: unknown): value is string => typeof value === 'string' && /^[A-Z]{2}$/.test(value);

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** The code in a record: as MaxMind and DB-IP nest it, or flat as IPinfo and IP2Location write it. */
function codeIn(record: unknown): string | undefined {
  const country = field(record, 'country');
  const places = [
    field(country, 'iso_code'),
    country,
    field(record, 'country_code'),
    field(field(record, 'registered_country'), 'iso_code'),
  ];
  return places.find(isCode);
}

async function read(file: string): Promise<{ database: Database; modified: number }> {
  const { mtimeMs } = await stat(file);
  return { database: await open<Response>(file), modified: mtimeMs };
}

/**
 * Opens a country or city database in MaxMind's format.
 * @param file absent: no address is known
 * @throws StartError where the file cannot be read or is of another format
 * @see https://maxmind.github.io/MaxMind-DB/
 */
export async function openCountries(file: string | undefined): Promise<Countries> {
  if (file === undefined) {
    return { available: false, countryOf: () => undefined, refresh: async () => {} };
  }
  let current: Awaited<ReturnType<typeof read>>;
  try {
    current = await read(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The country database ${file} cannot be read (${reason})`,
      'Let PORTCULLIS_COUNTRY_DATABASE name a readable .mmdb file, or leave it out',
      { cause: error },
    );
  }
  return {
    available: true,
    countryOf: (address) => (validate(address) ? codeIn(current.database.get(address)) : undefined),
    async refresh() {
      if ((await stat(file)).mtimeMs !== current.modified) current = await read(file);
    },
  };
}
