import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { DocumentSecrets } from '@portcullis/contract/configuration';
import { sealerOf } from '../sealing/index.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** 128 MB and half a second a guess. @see RFC 7914 §2 */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const saltBytes = 16;
const purpose = 'configuration-file';

const sealerFor = async (passphrase: string, salt: Buffer) =>
  sealerOf(await derive(passphrase.normalize('NFC'), salt, 32, cost));

/** Closes secrets with a passphrase: `scrypt17.<salt>.<sealed>`. */
export async function sealSecrets(secrets: DocumentSecrets, passphrase: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const sealed = (await sealerFor(passphrase, salt)).seal(JSON.stringify(secrets), purpose);
  return `scrypt17.${salt.toString('base64url')}.${sealed}`;
}

/** @returns undefined where the passphrase is not the one, or the text was changed */
export async function openSecrets(sealed: string, passphrase: string): Promise<DocumentSecrets | undefined> {
  const [, salt, body] = /^scrypt17\.([\w-]{22})\.(v1\.[\w-]+)$/.exec(sealed) ?? [];
  if (salt === undefined || body === undefined) return undefined;
  const text = (await sealerFor(passphrase, Buffer.from(salt, 'base64url'))).open(body, purpose);
  return text === undefined ? undefined : DocumentSecrets.parse(JSON.parse(text));
}
