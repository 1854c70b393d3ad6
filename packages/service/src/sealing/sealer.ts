import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../start-error.ts';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Closes secrets before they are stored, so that a stolen database alone gives none away. */
export interface Sealer {
  /** @param purpose binds the result to its use, so that one secret can't be put in another's place */
  seal(plain: string, purpose: string): string;
  /** @returns undefined where the key or purpose is not the one that sealed it */
  open(sealed: string, purpose: string): string | undefined;
}

/** AES-256-GCM with a key derived for each purpose. @param master 32 bytes */
export function sealerOf(master: Uint8Array): Sealer {
  const keyFor = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', master, '', `portcullis/${purpose}`, keyBytes));
  return {
    seal(plain, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed, purpose) {
      if (!sealed.startsWith('v1.')) return undefined;
      const bytes = Buffer.from(sealed.slice(3), 'base64url');
      const nonce = bytes.subarray(0, nonceBytes);
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      if (tag.length !== tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), nonce);
      decipher.setAuthTag(tag);
      try {
        const body = decipher.update(bytes.subarray(nonceBytes + tagBytes));
        return Buffer.concat([body, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** Where the key lies, beside the database and not in it. */
export const keyFile = (dataDir: string) => path.join(dataDir, 'secrets', 'master.key');

async function makeKey(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = randomBytes(keyBytes).toString('base64');
  await writeFile(file, `${fresh}\n`, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await chmod(file, 0o600);
}

/** @throws StartError where a folder has another key than the one that is to be put there: it must not be lost */
export async function refuseOtherKey(fromDir: string, toDir: string): Promise<void> {
  const read = async (dir: string) => (await readFile(keyFile(dir), 'utf8').catch(() => '')).trim();
  const there = await read(toDir);
  if (there === '' || there === (await read(fromDir))) return;
  throw new StartError(
    `The folder has a key file of its own: ${keyFile(toDir)}`,
    'Name another folder, or move that key file to a safe place: what it sealed cannot be opened without it',
  );
}

/**
 * Puts the key file of one data folder into another, where a database is moved to.
 * @returns takes it away again; nothing where it lay there already
 * @throws StartError where another key lies there
 */
export async function carryKey(fromDir: string, toDir: string): Promise<() => Promise<void>> {
  await refuseOtherKey(fromDir, toDir);
  const to = keyFile(toDir);
  const key = await readFile(keyFile(fromDir), 'utf8');
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
  try {
    await writeFile(to, key, { flag: 'wx', mode: 0o600 });
    return () => rm(to);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return async () => {};
    throw error;
  }
}

/**
 * Reads the key file, or makes one (0600) on the first run.
 * @param options.make false for who only looks: a missing file is refused
 * @throws StartError where it is unreadable or not a key
 */
export async function loadSealer(dataDir: string, { make = true } = {}): Promise<Sealer> {
  const file = keyFile(dataDir);
  try {
    if (make) await makeKey(file);
    const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64');
    if (key.length === keyBytes) return sealerOf(key);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `The key file ${file} cannot be read or made (${reason})`,
      'Make the data folder readable and writable for the user that runs Portcullis',
      { cause: error },
    );
  }
  throw new StartError(
    `The key file ${file} is damaged: it does not hold ${keyBytes} bytes in base64`,
    'Put the key file from your backup in its place; without it the stored secrets cannot be opened',
  );
}
