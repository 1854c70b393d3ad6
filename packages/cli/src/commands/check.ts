import { checkStorage } from '@portcullis/service';
import type { Settings } from '../environment/index.ts';

/** `portcullis check`: the settings were read already; this looks at what is stored. Exit code 1 on a finding. */
export async function runCheck(settings: Settings): Promise<void> {
  const { PORTCULLIS_DATA_DIR: dataDir, PORTCULLIS_DATABASE_URL: databaseUrl } = settings;
  const issues = await checkStorage({ dataDir, ...(databaseUrl && { databaseUrl }) });
  for (const issue of issues)
    process.stdout.write(`${issue.path ? `${issue.path}: ` : ''}${issue.message}\n`);
  if (issues.length === 0) process.stdout.write('Settings and stored configuration are sound.\n');
  process.exitCode = issues.length === 0 ? 0 : 1;
}
