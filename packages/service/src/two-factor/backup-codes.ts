import { randomInt } from 'node:crypto';
import { hashPassword, verifyPassword } from '../passwords/index.ts';

const count = 10;
const half = 5;
/** Nothing that is read or typed as something else: no 0, 1, i, l, o. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

const part = () => Array.from({ length: half }, () => alphabet[randomInt(alphabet.length)]).join('');

/** @returns ten codes such as `k7mzp-2vq4x`, 49 random bits each */
export function newBackupCodes(): string[] {
  return Array.from({ length: count }, () => `${part()}-${part()}`);
}

/** @returns the code as it is hashed; undefined for what cannot be a backup code */
function canonical(typed: string): string | undefined {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return /^[a-z2-9]{10}$/.test(letters) ? letters : undefined;
}

/** @returns a hash for each code, with which alone they are stored */
export async function hashBackupCodes(codes: readonly string[]): Promise<string[]> {
  return Promise.all(codes.map((code) => hashPassword(canonical(code) ?? code)));
}

/** @returns the hashes without that of the code that was typed; undefined where it matches none */
export async function withoutBackupCode(
  hashes: readonly string[],
  typed: string,
): Promise<string[] | undefined> {
  const code = canonical(typed);
  if (code === undefined) return undefined;
  const matches = await Promise.all(hashes.map((hash) => verifyPassword(hash, code)));
  return matches.includes(true) ? hashes.filter((_, index) => !matches[index]) : undefined;
}
