const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * When a certificate is renewed: after two thirds of its life, up to a day earlier or later, so that many sites do
 * not all come to the authority at once.
 * @param random in [0, 1)
 * @returns Unix milliseconds
 */
export function renewalTime(notBefore: number, notAfter: number, random: number): number {
  const life = notAfter - notBefore;
  const jitter = Math.min(dayMs, life / 30) * (random * 2 - 1);
  return Math.round(notBefore + (life * 2) / 3 + jitter);
}

/**
 * No attempt lies further ahead: the longest an authority is let ask for, whose limits span a week at most and whose
 * typing error must not cost the certificate, and something over.
 */
export const longestWaitMs = 8 * dayMs;

/**
 * When to try again after failures in a row: ten minutes, then doubling to a day, a fifth more or less. Authorities
 * allow five failures an hour for a name, so the first hour holds fewer.
 * @param failures 1 or more
 * @param waitMs what the authority asks for
 */
export function retryTime(now: number, failures: number, random: number, waitMs = 0): number {
  const pause = Math.min(dayMs, 10 * minuteMs * 2 ** (failures - 1));
  return Math.round(now + Math.max(pause * (0.8 + random * 0.4), Math.min(waitMs, 7 * dayMs)));
}
