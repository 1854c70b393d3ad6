import { backUp } from '@portcullis/service';
import type { Settings } from '../environment/index.ts';

/**
 * `portcullis backup [FILE] [--with-keys]`: a copy of the database, with the service running or not.
 * @param options.file where to; absent: a name with the time in the data folder
 */
export async function runBackup(
  settings: Settings,
  options: { file: string | undefined; withKeys: boolean },
): Promise<void> {
  const { PORTCULLIS_DATA_DIR: dataDir, PORTCULLIS_DATABASE_URL: databaseUrl } = settings;
  const made = await backUp({ dataDir, databaseUrl }, { ...options, now: Date.now() });
  const lines = [`Backed up to ${made.file} (${made.bytes.toLocaleString('en')} bytes, checked).`];
  if (made.keyCopy === undefined) {
    lines.push(
      'The key that opens its stored secrets is not in it. Keep a copy of this file in another safe place,',
      `or a restore on another machine is impossible: ${made.keyFile}`,
    );
  } else {
    lines.push(`Its key lies beside it: ${made.keyCopy}`, 'Who has both can open every stored secret.');
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
