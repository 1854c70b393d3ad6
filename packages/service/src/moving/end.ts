import path from 'node:path';
import { StartError } from '../start-error.ts';

/** Where an installation's database is, or is to be. */
export type End =
  | { readonly kind: 'postgres'; readonly url: string }
  | {
      readonly kind: 'sqlite';
      /** the data folder that holds it */
      readonly folder: string;
    };

/**
 * @param text `postgres://…`, or `sqlite:FOLDER`
 * @param dataDir what `sqlite:` alone means
 * @throws StartError where it is neither
 */
export function parseEnd(text: string, dataDir: string): End {
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { kind: 'postgres', url: text };
  const folder = /^sqlite:(?:\/\/)?(?<folder>.*)$/.exec(text)?.groups?.['folder'];
  if (folder !== undefined) return { kind: 'sqlite', folder: folder === '' ? dataDir : path.resolve(folder) };
  // What was written is not repeated: it may hold a password.
  throw new StartError(
    'What to move from or to is neither a URL of PostgreSQL nor sqlite:',
    'Write postgres://USER@HOST/DATABASE, or sqlite:FOLDER with a data folder',
  );
}

/** An end as an operator may read it, without a password. */
export function nameOfEnd(end: End): string {
  if (end.kind === 'sqlite') return `SQLite in ${end.folder}`;
  const { host, pathname } = new URL(end.url);
  return `PostgreSQL ${decodeURIComponent(pathname.slice(1))} at ${host}`;
}
