const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long what an operator sets may hold, in milliseconds; undefined: until it is removed. */
const lifetimes = { never: undefined, hour: hourMs, day: dayMs, week: 7 * dayMs, month: 30 * dayMs };
export type Lifetime = keyof typeof lifetimes;

/** @returns the end of what holds so long from now (Unix milliseconds), ISO 8601; undefined: none */
export function endOf(lifetime: Lifetime, now: number): string | undefined {
  const ms = lifetimes[lifetime];
  return ms === undefined ? undefined : new Date(now + ms).toISOString();
}
