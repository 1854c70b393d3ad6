import { checkStorage } from '@portcullis/service';
import { checkSeclang, describeSeclang } from '../check/index.ts';
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

/**
 * `portcullis check --seclang DIR`: what loads of a directory of ModSecurity rules, and what does not, by file and
 * line. Exit code 1 where a directive is not supported.
 */
export async function runSeclangCheck(directory: string): Promise<void> {
  const check = await checkSeclang(directory);
  process.stdout.write(`${describeSeclang(check).join('\n')}\n`);
  process.exitCode = check.errors.length === 0 ? 0 : 1;
}
