import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** OWASP's choice for argon2id: 19 MiB, two passes, one lane. @see OWASP Password Storage Cheat Sheet */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const tagLength = 32;

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '');

/** @returns a PHC string: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash` */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: password.normalize('NFKC'), nonce, ...cost, tagLength });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Stands in for an account that does not exist, so that the answer takes as long as for one that does. */
const nobody = hashPassword(randomBytes(16).toString('hex'));

/**
 * Whether the password is the one that was hashed, in constant time and with equal work where no hash is known.
 * @param hash PHC string, undefined where no such account exists
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const parsed = phc.exec(hash ?? (await nobody));
  if (!parsed) return false;
  const [, memory, passes, parallelism, nonce = '', tag = ''] = parsed;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: password.normalize('NFKC'),
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected) && hash !== undefined;
}
