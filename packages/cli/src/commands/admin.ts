import { resetAdmin } from '@portcullis/service';
import type { Settings } from '../environment/index.ts';
import { accountName } from '../process/index.ts';

/**
 * `portcullis admin reset`: whoever has a shell on the host may set up an administrator anew.
 * @param email whose account is reset; without it the link creates or takes over the account it is given
 */
export async function runAdminReset(settings: Settings, email?: string): Promise<void> {
  const { PORTCULLIS_DATA_DIR: dataDir, PORTCULLIS_DATABASE_URL: databaseUrl } = settings;
  const { token } = await resetAdmin({
    dataDir,
    operator: accountName(),
    ...(databaseUrl && { databaseUrl }),
    ...(email && { email }),
  });
  const host = settings.PORTCULLIS_ADMIN_HOST.includes(':')
    ? `[${settings.PORTCULLIS_ADMIN_HOST}]`
    : settings.PORTCULLIS_ADMIN_HOST;
  const own = `http://${host}:${settings.PORTCULLIS_ADMIN_PORT}`;
  const link = `${settings.PORTCULLIS_PUBLIC_URL?.replace(/\/$/, '') ?? own}/setup#token=${token}`;
  process.stdout.write(`Open this link once, within 30 minutes, while Portcullis runs:\n${link}\n`);
}
