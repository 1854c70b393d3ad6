import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/** 19 MiB, two passes, one lane: the OWASP password storage cheat sheet's first choice for argon2id. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const tagLength = 32;
const saltLength = 16;

const phc =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** The same password typed on another system may come in another Unicode form. @see NIST SP 800-63B §5.1.1.2 */
const normalized = (password: string) => Buffer.from(password.normalize('NFKC'));

/**
 * Hashes a password or backup code with argon2id off the main thread, about 50 ms of one core.
 * @returns PHC string: algorithm, cost, salt and tag
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltLength);
  const tag = await derive('argon2id', { message: normalized(password), nonce, tagLength, ...cost });
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
  return `$argon2id$v=19$${parameters}$${base64(nonce)}$${base64(tag)}`;
}

/** A hash that no password has, so that an unknown account takes as long as a known one. */
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(Buffer.alloc(saltLength))}$${base64(Buffer.alloc(tagLength))}`;

/**
 * Compares in constant time.
 * @param hash PHC string; undefined where there is no account: false after the same time
 * @returns false also for a hash that is not one of ours
 */
export async function verifyPassword(hash: string | undefined, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = phc.exec(hash ?? nobody) ?? [];
  if (memory === undefined) return false;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: normalized(password),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected) && hash !== undefined;
}
