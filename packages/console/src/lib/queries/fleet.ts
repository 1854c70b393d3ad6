import { fleetEndpoints } from '@portcullis/contract/api';
import type { Fleet } from '@portcullis/contract/fleet';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../api/index.ts';

/** Every gateway and service; null where the server does not tell of them. */
export const fleetQuery = queryOptions({
  queryKey: ['fleet'],
  queryFn: async ({ signal }): Promise<Fleet | null> => {
    try {
      return await call(fleetEndpoints.list, {}, signal);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  },
});
