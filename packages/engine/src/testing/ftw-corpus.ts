import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { type FtwCase, readFtwFile } from './ftw.ts';

/** Where the tests of the Core Rule Set lie, beside the repository and never in it. */
export const ftwDir = path.resolve(import.meta.dirname, '../../../../../shared/corpora/crs-3.3.4-tests');

/** All of them, in order of their files; undefined where they are not. */
export function readFtwCorpus(): FtwCase[] | undefined {
  if (!existsSync(ftwDir)) return undefined;
  return readdirSync(ftwDir)
    .sort()
    .flatMap((folder) =>
      readdirSync(path.join(ftwDir, folder))
        .filter((name) => name.endsWith('.yaml'))
        .sort()
        .flatMap((name) => readFtwFile(parse(readFileSync(path.join(ftwDir, folder, name), 'utf8')))),
    );
}
