import { generateSecret, generateURI, verifySync } from 'otplib';

/** An authenticator's clock may be a step early or late. @see RFC 6238 §5.2 */
const toleranceSeconds = 30;

/** @returns a new seed as base32, 160 random bits */
export function newSeed(): string {
  return generateSecret();
}

/** What an authenticator app reads from the QR code. @param issuer name of the installation */
export function seedUri(seed: string, email: string, issuer: string): string {
  return generateURI({ issuer, label: email, secret: seed });
}

/**
 * Checks a code.
 * @param now Unix milliseconds
 * @param lastStep time step of the last code that was used; its code and earlier ones are refused
 * @returns the time step that the code belongs to; undefined for a wrong, old or used code
 */
export function acceptedStep(
  seed: string,
  code: string,
  now: number,
  lastStep: number | null,
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const result = verifySync({
    secret: seed,
    token: code,
    epoch: Math.floor(now / 1000),
    epochTolerance: toleranceSeconds,
  });
  if (!result.valid || !('timeStep' in result)) return undefined;
  return lastStep !== null && result.timeStep <= lastStep ? undefined : result.timeStep;
}
