import { endpoints } from '@portcullis/contract/api';
import type { BuiltInRule } from '@portcullis/contract/protection';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../api/index.ts';

const freshMs = 60_000;

/** The rules that ship with the gateways, with what a site makes of them; none from servers without the call. */
export const builtInRulesQuery = (siteId: string | undefined) =>
  queryOptions({
    queryKey: ['built-in-rules', siteId ?? 'no site'],
    queryFn: async ({ signal }): Promise<BuiltInRule[]> => {
      try {
        return await call(endpoints.protection.builtIn, { query: { siteId } }, signal);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return [];
        throw error;
      }
    },
    staleTime: siteId === undefined ? freshMs : 0,
  });

/** Whether an id is none of an operator's own rule. */
export const isBuiltIn = (ruleId: string): boolean => !ruleId.startsWith('rule_');
