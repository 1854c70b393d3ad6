import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { JsonReader } from '../link/index.ts';

const form = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + nonceBytes + tagBytes;
/** A message that unpacks to more than this is not one of ours. */
const maxPlainBytes = 512 * 1024 * 1024;

/** What a sealed message is for: one for another purpose does not open. */
export type Purpose = 'snapshot' | 'operators' | 'batch' | 'report' | 'sightings' | 'peers' | 'ban';

/**
 * Closes what travels over the server, so that whoever reads or writes there learns no key, address or event and
 * cannot put words into a gateway's or a service's mouth.
 */
export interface Envelope {
  /** @param message is made JSON */
  seal(message: unknown, purpose: Purpose): Buffer;
  /** @returns the parsed JSON; undefined where another key or purpose sealed it, or it was changed */
  open(sealed: Buffer, purpose: Purpose): unknown;
  /** As {@link open}, for what may be so large that requests would have to wait for it. */
  openLarge(sealed: Buffer, purpose: Purpose, reader: JsonReader): Promise<unknown>;
  /** @returns a name for what must not be read there, such as a client's address; the same on every gateway */
  nameOf(secret: string): string;
  /** As {@link nameOf} with other names, for what is named with every unknown visitor: it takes a quarter of the time. */
  quickNameOf(secret: string): string;
}

/**
 * zstd, then AES-256-GCM with a key derived for each purpose: version, nonce, tag, body.
 * @param clusterKey the secret that services and gateways of an installation share
 */
export function createEnvelope(clusterKey: string): Envelope {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', clusterKey, 'portcullis link', purpose, 32));
  const keys = new Map<Purpose, Uint8Array>();
  const keyFor = (purpose: Purpose) => {
    const key = keys.get(purpose) ?? derive(purpose);
    keys.set(purpose, key);
    return key;
  };
  const nameKey = derive('names');
  const quickNameKey = Buffer.from(derive('quick names')).toString('base64url');
  /** @returns undefined where it is too short or of another form. @throws where another key sealed it */
  const unlock = (sealed: Buffer, purpose: Purpose): Buffer | undefined => {
    if (sealed.length < headBytes || sealed[0] !== form) return undefined;
    const nonce = sealed.subarray(1, 1 + nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), nonce);
    decipher.setAuthTag(sealed.subarray(1 + nonceBytes, headBytes));
    const packed = decipher.update(sealed.subarray(headBytes));
    decipher.final();
    return packed;
  };
  return {
    seal(message, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce);
      const body = cipher.update(zstdCompressSync(JSON.stringify(message)));
      cipher.final();
      return Buffer.concat([Buffer.of(form), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, purpose) {
      try {
        const packed = unlock(sealed, purpose);
        return (
          packed &&
          JSON.parse(zstdDecompressSync(packed, { maxOutputLength: maxPlainBytes }).toString('utf8'))
        );
      } catch {
        return undefined;
      }
    },
    async openLarge(sealed, purpose, reader) {
      try {
        const packed = unlock(sealed, purpose);
        return packed && (await reader.unpack(packed, maxPlainBytes));
      } catch {
        return undefined;
      }
    },
    // The key first, and of the hash a part: what HMAC guards against, going on from a hash that is known, needs all of it.
    quickNameOf: (secret) => hash('sha256', quickNameKey + secret, 'base64url').slice(0, 22),
    nameOf: (secret) => createHmac('sha256', nameKey).update(secret).digest('base64url').slice(0, 22),
  };
}
