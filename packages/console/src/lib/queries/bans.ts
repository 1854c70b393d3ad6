import type { BanAnswer, BanList } from '@portcullis/contract/access';
import { endpoints } from '@portcullis/contract/api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/index.ts';

const refreshMs = 10_000;

/** The bans in force. */
export const bansQuery = queryOptions({
  queryKey: ['bans'],
  queryFn: ({ signal }): Promise<BanList> => call(endpoints.access.bans, {}, signal),
  refetchInterval: refreshMs,
});

/** The ban that keeps one address out; null where none does. */
export const banOfQuery = (ip: string) =>
  queryOptions({
    queryKey: [...bansQuery.queryKey, ip],
    queryFn: async ({ signal }): Promise<BanAnswer | null> =>
      (await call(endpoints.access.bans, { query: { ip } }, signal)).bans[0] ?? null,
  });

/** Ends a ban, and all others of the same address. @throws {ApiError} as the service refused */
export function liftBan(id: string): Promise<void> {
  return call(endpoints.access.liftBan, { params: { id } });
}
