import { restoreBackup } from '@portcullis/service';
import type { Settings } from '../environment/index.ts';
import { claimDataFolder } from '../link/index.ts';

/** `portcullis restore FILE [--with-keys]`: puts a backup in the database's place while no service runs on it. */
export async function runRestore(
  settings: Settings,
  options: { file: string; withKeys: boolean },
): Promise<void> {
  const { PORTCULLIS_DATA_DIR: dataDir, PORTCULLIS_DATABASE_URL: databaseUrl } = settings;
  const mend = 'stop it first: a database in use cannot be replaced';
  const release = await claimDataFolder(dataDir, mend);
  try {
    const restored = await restoreBackup({ dataDir, databaseUrl }, { ...options, now: Date.now() });
    const lines = [`Restored ${options.file} into ${databaseUrl === undefined ? dataDir : 'PostgreSQL'}.`];
    if (restored.replaced) lines.push(`The database before is kept: ${restored.replaced}`);
    if (restored.replacedKey) lines.push(`The key file before is kept: ${restored.replacedKey}`);
    for (const notice of restored.notices) lines.push(`Look at this: ${notice}`);
    lines.push(
      'Everybody signs in again. Passwords, roles, API tokens and blocks are as they were at the backup:',
      'what was changed or withdrawn since then, do again. Now start Portcullis.',
    );
    process.stdout.write(`${lines.join('\n')}\n`);
  } finally {
    await release();
  }
}
