import type { Site } from '@portcullis/contract/sites';
import { useQuery } from '@tanstack/react-query';
import { sitesQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';

const staleMs = 10_000;

/** @returns all sites; undefined while they load, and for who may not see sites */
export function useSites(): readonly Site[] | undefined {
  const allowed = usePermission('site:view');
  return useQuery({ ...sitesQuery, staleTime: staleMs, enabled: allowed }).data;
}
