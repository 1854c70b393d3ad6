import { headerValues, type Transaction } from '../state/index.ts';
import { changing, single, type VariableReader } from './reader.ts';

function clock({ context }: Transaction): Date | undefined {
  const now = context.now?.() ?? context.startedAtMs;
  return now === undefined ? undefined : new Date(now + (context.utcOffsetMinutes ?? 0) * 60_000);
}

const time = (read: (date: Date) => string | number): VariableReader =>
  changing((transaction) => {
    const date = clock(transaction);
    return date && read(date);
  });

const two = (value: number): string => String(value).padStart(2, '0');

/** The connection, the clock and the host. What the caller did not supply is absent. */
export const surroundingVariables: Readonly<Record<string, VariableReader>> = {
  REMOTE_ADDR: single(({ request }) => request.clientIp),
  REMOTE_HOST: single(({ request }) => request.clientIp),
  REMOTE_PORT: single(({ context }) => context.clientPort),
  SERVER_ADDR: single(({ context }) => context.serverAddress),
  SERVER_PORT: single(({ context }) => context.serverPort),
  SERVER_NAME: single(({ request }) => headerValues(request.headers, 'host')[0]?.replace(/:\d+$/, '')),
  UNIQUE_ID: single(({ context }) => context.uniqueId ?? ''),
  ENV: { members: ({ context }) => Object.entries(context.environment ?? {}) },
  TIME: time(
    (date) => `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`,
  ),
  TIME_DAY: time((date) => date.getUTCDate()),
  TIME_HOUR: time((date) => date.getUTCHours()),
  TIME_MIN: time((date) => date.getUTCMinutes()),
  TIME_MON: time((date) => date.getUTCMonth()),
  TIME_SEC: time((date) => date.getUTCSeconds()),
  TIME_WDAY: time((date) => date.getUTCDay()),
  TIME_YEAR: time((date) => date.getUTCFullYear()),
  TIME_EPOCH: changing(({ context }) => {
    const now = context.now?.() ?? context.startedAtMs;
    return now === undefined ? undefined : Math.floor(now / 1000);
  }),
  // Microseconds, as ModSecurity 2 counts.
  DURATION: changing(({ context }) =>
    context.now && context.startedAtMs !== undefined ? (context.now() - context.startedAtMs) * 1000 : 0,
  ),
};
