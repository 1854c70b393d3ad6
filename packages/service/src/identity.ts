import { createHash, randomBytes } from 'node:crypto';

/** @returns an id that says what it is: `site_4f1c…`, 96 random bits */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** @returns a secret for a link or ticket, 256 random bits, safe in URLs */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a {@link newSecret}: with 256 random bits a plain hash cannot be guessed back. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
