import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SharedKey } from '@portcullis/contract/link';

interface Key {
  readonly id: string;
  readonly secret: Buffer;
}

/**
 * Signs with the newest key and verifies with all, so that rotation ends no pass early. Each purpose has texts of
 * its own: what was signed for one never verifies for another.
 */
export class KeyRing {
  readonly #keys: readonly [Key, ...Key[]];

  /**
   * @param shared newest first. Where there are none the ring has a key of its own, whose passes count with this
   * process alone
   */
  constructor(shared: readonly SharedKey[]) {
    const [first, ...others] = shared.map(({ id, secret }) => ({
      id,
      secret: Buffer.from(secret, 'base64'),
    }));
    this.#keys = [first ?? { id: 'own', secret: randomBytes(32) }, ...others];
  }

  /** @returns key id and MAC: `k1.4fX…` */
  sign(purpose: string, fields: readonly (string | number)[]): string {
    const [key] = this.#keys;
    return `${key.id}.${mac(key, purpose, fields)}`;
  }

  verify(purpose: string, fields: readonly (string | number)[], signature: string): boolean {
    const dot = signature.indexOf('.');
    const id = signature.slice(0, dot);
    const given = Buffer.from(signature.slice(dot + 1));
    for (const key of this.#keys) {
      if (key.id !== id) continue;
      const expected = Buffer.from(mac(key, purpose, fields));
      if (given.length === expected.length && timingSafeEqual(given, expected)) return true;
    }
    return false;
  }
}

/** JSON keeps fields apart: no two lists of fields have the same text. */
const mac = (key: Key, purpose: string, fields: readonly (string | number)[]) =>
  createHmac('sha256', key.secret)
    .update(JSON.stringify([purpose, ...fields]))
    .digest('base64url');
