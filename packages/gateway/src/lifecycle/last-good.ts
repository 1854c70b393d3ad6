import { existsSync, renameSync } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
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

/** Writes aside, syncs, renames: after a power cut either the old or the new configuration is whole. */
export async function saveLastGood(file: string, snapshot: ConfigSnapshot): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const aside = `${file}.${process.pid}.part`;
  // Holds private keys once certificates are uploaded: for the owner's eyes only.
  const handle = await open(aside, 'w', 0o600);
  try {
    await handle.writeFile(textOf(snapshot));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(aside, file);
}

/** Sites, or addresses, whose text is made in one turn of the event loop. */
const atOnce = { sites: 20, addresses: 10_000 } as const;

/** The snapshot's JSON, piece by piece: ten thousand sites in one would hold requests up. */
async function* textOf({ sites, addressLists, ...rest }: ConfigSnapshot): AsyncGenerator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"sites":[`;
  yield* elementsOf(sites, atOnce.sites);
  yield '],"addressLists":[';
  for (const [index, { entries, ...list }] of addressLists.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(list).slice(0, -1)},"entries":[`;
    yield* elementsOf(entries, atOnce.addresses);
    yield ']}';
  }
  yield ']}';
}

async function* elementsOf(elements: readonly unknown[], count: number): AsyncGenerator<string> {
  for (let at = 0; at < elements.length; at += count) {
    const piece = JSON.stringify(elements.slice(at, at + count)).slice(1, -1);
    yield at === 0 ? piece : `,${piece}`;
    await nextTurn();
  }
}
