import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Issue } from '@portcullis/contract/api';
import { SiteCreate } from '@portcullis/contract/sites';
import { sql } from 'kysely';
import { commandLineActor, createAuditLog, firstBrokenLink } from './audit/index.ts';
import { issueSetupToken, loadTokenSigner } from './auth/index.ts';
import { loadSealer } from './sealing/index.ts';
import { readSettings } from './settings/index.ts';
import { StartError } from './start-error.ts';
import { openStorage, type Storage, sqliteFileName } from './storage/index.ts';
import { findUserByEmail } from './users/index.ts';

/** Where an installation keeps its data. */
export interface InstallationPlace {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
}

/**
 * Works on the database as it stands, for a running service would not know another schema, and a folder without one is
 * the wrong folder. Makes a one-time token that the setup screen takes for a new administrator's password, for who has the host and
 * lost the account. The service may be running.
 * @param place.operator the account on this machine that asks, for the audit log
 * @param place.email refused when nobody has it, so that a slip of the pen does not make a second account
 * @returns the token, for `/setup#token=…`, good for 30 minutes
 */
export async function resetAdmin(
  place: InstallationPlace & { operator: string; email?: string },
): Promise<{ token: string }> {
  const storage = await openStorage({ ...place, asItStands: true });
  try {
    if (place.email !== undefined && !(await findUserByEmail(storage.db, place.email))) {
      throw new StartError(`No user has the email ${place.email}`, 'Check the address, or leave it out');
    }
    const token = await issueSetupToken(storage, 'reset', Date.now());
    await createAuditLog(storage, Date.now).write({
      action: 'auth.setup',
      level: 'warning',
      message: `A link was made that gives ${place.email ?? 'any account'} a new password and the rights of an administrator`,
      actor: commandLineActor(place.operator),
      ip: '',
    });
    return { token };
  } finally {
    await storage.close();
  }
}

async function configurationIssues(storage: Storage): Promise<Issue[]> {
  const issues: Issue[] = [];
  const rows = await storage.read.selectFrom('sites').select(['id', 'name', 'config']).execute();
  for (const { id, name, config } of rows) {
    const parsed = SiteCreate.safeParse(JSON.parse(config));
    for (const issue of parsed.error?.issues ?? []) {
      issues.push({
        path: `sites.${id}.${issue.path.join('.')}`,
        message: `Site "${name}": ${issue.message}`,
      });
    }
  }
  for (const key of ['general', 'security'] as const) {
    await readSettings(storage.read, key).catch((error) =>
      issues.push({ path: `settings.${key}`, message: String(error) }),
    );
  }
  return issues;
}

async function integrityIssues(storage: Storage): Promise<Issue[]> {
  const issues: Issue[] = [];
  if (storage.dialect === 'sqlite') {
    const result = await sql<{ quick_check: string }>`pragma quick_check`.execute(storage.read);
    for (const { quick_check } of result.rows) {
      if (quick_check !== 'ok') issues.push({ path: 'database', message: quick_check });
    }
  }
  const broken = await firstBrokenLink(storage.read);
  if (broken !== undefined) {
    issues.push({
      path: 'audit',
      message: `The audit chain is broken at ${broken}: an entry was changed or removed`,
    });
  }
  return issues;
}

/** @returns what is wrong in an open database: integrity, audit chain, stored configuration */
export async function storedIssues(storage: Storage): Promise<readonly Issue[]> {
  return [...(await integrityIssues(storage)), ...(await configurationIssues(storage))];
}

/**
 * Examines an installation's storage and leaves it as it stands: schema, integrity, key file, stored configuration,
 * audit chain.
 * @returns everything that is wrong, each with its mend where there is one; empty where all is well or nothing is
 *   stored yet
 */
export async function checkStorage(place: InstallationPlace): Promise<readonly Issue[]> {
  if (place.databaseUrl === undefined && !existsSync(path.join(place.dataDir, sqliteFileName))) return [];
  let storage: Storage | undefined;
  try {
    storage = await openStorage({ ...place, asItStands: true });
    await loadTokenSigner(storage, await loadSealer(place.dataDir, { make: false }), Date.now);
    return await storedIssues(storage);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [{ path: 'storage', message: `${error.message}. ${error.mend}` }];
  } finally {
    await storage?.close();
  }
}
