import { existsSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ConfigSnapshot } from '@portcullis/contract/link';

/** What stands on disk of the configuration that last worked. */
export type LastGood =
  | { readonly found: 'snapshot'; readonly snapshot: ConfigSnapshot }
  | { readonly found: 'nothing' }
  | { readonly found: 'broken'; readonly reason: string; readonly setAsideAs: string };

/**
 * Reads the last good configuration. A file that cannot be used is set aside under another name, so that it can
 * be looked at and is in nobody's way.
 */
export async function loadLastGood(file: string): Promise<LastGood> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { found: 'nothing' };
    throw error;
  }
  const reason = (parsed: ReturnType<typeof ConfigSnapshot.safeParse>) =>
    parsed.error?.issues[0]?.message ?? '';
  try {
    const parsed = ConfigSnapshot.safeParse(JSON.parse(text));
    if (parsed.success) return { found: 'snapshot', snapshot: parsed.data };
    return await setAside(file, `it does not fit this version: ${reason(parsed)}`);
  } catch (error) {
    return await setAside(file, error instanceof Error ? error.message : String(error));
  }
}

/** Also for a file that reads well and then does not compile. */
export async function setAside(file: string, reason: string): Promise<LastGood> {
  const setAsideAs = `${file}.broken`;
  // Another worker of this machine may have been faster.
  if (existsSync(file)) renameSync(file, setAsideAs);
  return { found: 'broken', reason, setAsideAs };
}
