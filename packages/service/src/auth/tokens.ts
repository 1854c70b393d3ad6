import { randomBytes } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Sealer } from '../sealing/index.ts';
import { insertSetting, readSetting, writeSetting } from '../settings/index.ts';
import { StartError } from '../start-error.ts';
import type { Db, Storage, Trx } from '../storage/index.ts';

const settingKey = 'token_key';
const purpose = 'token-key';
const algorithm = 'HS256';
const issuer = 'portcullis';

/** What a session token says; the session it names is looked up on every call. */
export interface TokenClaims {
  readonly userId: string;
  readonly sessionId: string;
}

/** Signs and reads session tokens. */
export interface TokenSigner {
  /** @param expiresAt Unix milliseconds */
  sign(claims: TokenClaims, expiresAt: number): Promise<string>;
  /** @returns undefined where the token is not ours, damaged or over */
  verify(token: string): Promise<TokenClaims | undefined>;
  /**
   * Stores another key, so that every token out there is worth nothing once the transaction stands.
   * @param secret 32 bytes or more; else random. @returns takes the key up, to be called then
   */
  replace(trx: Trx, secret?: string): Promise<() => void>;
  /** Takes up the key that another service has put in place. */
  reload(): Promise<void>;
}

const wrongKey = () =>
  new StartError(
    'The key file does not fit the database: its secrets were sealed with another key',
    'Put secrets/master.key from the backup of this database into the data folder',
  );

/**
 * Tries the sealing key on what it sealed, and changes nothing.
 * @throws StartError where it is not the one; a database that never was in use fits every key
 */
export async function requireFittingKey(db: Db | Trx, sealer: Sealer): Promise<void> {
  const stored = await readSetting(db, settingKey);
  if (stored === undefined || sealer.open(stored, purpose) !== undefined) return;
  throw wrongKey();
}

/**
 * Loads the signing key, or makes one on the first run. It is stored sealed, with a key that is not in the database.
 * @throws StartError where the sealing key is not the one that sealed it
 */
export async function loadTokenSigner(
  storage: Storage,
  sealer: Sealer,
  now: () => number,
): Promise<TokenSigner> {
  const stored = async () => {
    const known = await readSetting(storage.db, settingKey);
    if (known !== undefined) return known;
    const own = sealer.seal(randomBytes(32).toString('base64'), purpose);
    // Another service may start at this moment: the key that is in the database first counts for both.
    return insertSetting(storage.db, settingKey, own, now());
  };
  const read = async () => sealer.open(await stored(), purpose);
  const opened = await read();
  if (opened === undefined) throw wrongKey();
  let key: Uint8Array = Buffer.from(opened, 'base64');
  return {
    sign({ userId, sessionId }, expiresAt) {
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: algorithm })
        .setIssuer(issuer)
        .setSubject(userId)
        .setIssuedAt(Math.floor(now() / 1000))
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .sign(key);
    },
    async verify(token) {
      return await readToken(token, key, now());
    },
    async replace(trx, secret) {
      const fresh = secret === undefined ? randomBytes(32) : Buffer.from(secret, 'utf8');
      await writeSetting(trx, settingKey, sealer.seal(fresh.toString('base64'), purpose), now());
      return () => {
        key = fresh;
      };
    },
    async reload() {
      const newest = await read();
      if (newest !== undefined) key = Buffer.from(newest, 'base64');
    },
  };
}

async function readToken(token: string, key: Uint8Array, now: number): Promise<TokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      issuer,
      currentDate: new Date(now),
    });
    const { sub, sid } = payload;
    return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
