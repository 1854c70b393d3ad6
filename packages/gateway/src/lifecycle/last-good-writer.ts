import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConfigSnapshot, GatewaySite } from '@portcullis/contract/link';

/** A file as it was written, open. */
interface Written {
  readonly handle: FileHandle;
  readonly sites: readonly GatewaySite[];
  /** bytes: where each site's text begins, and where it ends, in turn */
  readonly places: Float64Array;
  /** its size and when it was changed: whether it still is what was written */
  readonly state: string;
}

/** Sites, or addresses, whose text is made in one turn of the event loop. */
const atOnce = { sites: 20, addresses: 10_000 } as const;
const copiedAtOnce = 1024 * 1024;

/**
 * Writes the last good configuration, one save at a time. The text of sites that are the same objects as in the save
 * before is copied from that file: to make that of ten thousand again allocates 55 MB, and requests wait for the
 * collections that follow. The file stays open for that, for other gateways of this machine write under its name too.
 */
export class LastGoodWriter {
  readonly #file: string;
  #before: Written | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Writes aside, syncs, renames: after a power cut either the old or the new configuration is whole. */
  async save(snapshot: ConfigSnapshot): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true });
    const aside = `${this.#file}.${process.pid}.part`;
    // Holds private keys once certificates are uploaded: for the owner's eyes only.
    const handle = await open(aside, 'w+', 0o600);
    try {
      const places = await write(handle, snapshot, await unchanged(this.#before));
      await handle.sync();
      await rename(aside, this.#file);
      const state = await stateOf(handle);
      await this.close();
      this.#before = { handle, sites: snapshot.sites, places, state };
    } catch (error) {
      await handle.close();
      // It may be the file before that cannot be read any more: the next save does without.
      await this.close().catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    const before = this.#before;
    this.#before = undefined;
    await before?.handle.close();
  }
}

/** @returns nothing where somebody wrote into the file itself */
async function unchanged(written: Written | undefined): Promise<Written | undefined> {
  return written && (await stateOf(written.handle)) === written.state ? written : undefined;
}

async function stateOf(handle: FileHandle): Promise<string> {
  const { size, mtimeNs } = await handle.stat({ bigint: true });
  return `${size} ${mtimeNs}`;
}

/** Writes a snapshot's JSON, piece by piece: ten thousand sites in one would hold requests up. @returns the sites' places */
async function write(
  handle: FileHandle,
  { sites, addressLists, ...rest }: ConfigSnapshot,
  before: Written | undefined,
): Promise<Float64Array> {
  const head = `${JSON.stringify(rest).slice(0, -1)},"sites":[`;
  await handle.writeFile(head);
  const places = await writeSites(handle, Buffer.byteLength(head), sites, before);
  await handle.writeFile('],"addressLists":[');
  for (const [index, { entries, ...list }] of addressLists.entries()) {
    await handle.writeFile(`${index === 0 ? '' : ','}${JSON.stringify(list).slice(0, -1)},"entries":[`);
    for (let at = 0; at < entries.length; at += atOnce.addresses) {
      const piece = JSON.stringify(entries.slice(at, at + atOnce.addresses)).slice(1, -1);
      await handle.writeFile(at === 0 ? piece : `,${piece}`);
      await nextTurn();
    }
    await handle.writeFile(']}');
  }
  await handle.writeFile(']}');
  return places;
}

/** @param position where the first begins */
async function writeSites(
  handle: FileHandle,
  position: number,
  sites: readonly GatewaySite[],
  before: Written | undefined,
): Promise<Float64Array> {
  const places = new Float64Array(sites.length * 2);
  const known = new Map<GatewaySite, number>();
  for (const [index, site] of before?.sites.entries() ?? []) known.set(site, index);
  let next = position;
  const place = (at: number, length: number) => {
    places[at * 2] = next;
    places[at * 2 + 1] = next + length;
    next += length + 1;
  };
  for (let at = 0; at < sites.length; ) {
    if (at > 0) await handle.writeFile(',');
    const from = known.get(sites[at] as GatewaySite);
    if (before === undefined || from === undefined) {
      const texts = freshFrom(sites, at, known);
      for (const [index, text] of texts.entries()) place(at + index, Buffer.byteLength(text));
      at += texts.length;
      await handle.writeFile(texts.join(','));
      await nextTurn();
      continue;
    }
    const first = at;
    do {
      const index = from + at - first;
      place(at, (before.places[index * 2 + 1] ?? 0) - (before.places[index * 2] ?? 0));
      at += 1;
    } while (at < sites.length && known.get(sites[at] as GatewaySite) === from + at - first);
    const last = from + at - first - 1;
    await copy(before.handle, handle, before.places[from * 2] ?? 0, before.places[last * 2 + 1] ?? 0);
  }
  return places;
}

/** @returns the texts of some sites that stand in no file yet */
function freshFrom(
  sites: readonly GatewaySite[],
  at: number,
  known: ReadonlyMap<GatewaySite, number>,
): readonly string[] {
  const some = sites.slice(at, at + atOnce.sites);
  const end = some.findIndex((site) => known.has(site));
  return (end < 0 ? some : some.slice(0, end)).map((site) => JSON.stringify(site));
}

async function copy(from: FileHandle, to: FileHandle, start: number, end: number): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(copiedAtOnce, end - start));
  for (let position = start; position < end; ) {
    const { bytesRead } = await from.read(buffer, 0, Math.min(buffer.length, end - position), position);
    if (bytesRead === 0) throw new Error('The file before is shorter than what was written of it');
    await to.writeFile(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}
