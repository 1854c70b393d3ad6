import { endpoints } from '@portcullis/contract/api';
import { Site } from '@portcullis/contract/sites';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../components/toast.ts';
import { call, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { metricsQuery, sitesQuery } from '../../lib/queries/index.ts';
import type { SiteValues } from './site-values.ts';
import { siteToSend } from './site-values.ts';

const words = messages.sites;
/** Keeps what this console does not know, so that it goes back unchanged. */
const getWhole = { ...endpoints.sites.get, response: Site.loose() };

/** One site, fresh for its form. */
export const siteQuery = (id: string) =>
  queryOptions({
    queryKey: ['site', id],
    queryFn: ({ signal }) => call(getWhole, { params: { id } }, signal),
    gcTime: 0,
  });

/** Creates the site, with copies of the rules of another where one is given, or saves it where it has an id. */
export function useSaveSite(
  rulesOf: string | undefined,
  onSaved: () => void,
  onFailed: (error: unknown) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: SiteValues) => {
      const body = siteToSend(values);
      const { id } = body;
      return id === undefined
        ? call(endpoints.sites.create, { body, query: rulesOf === undefined ? {} : { rules_of: rulesOf } })
        : call(endpoints.sites.update, { params: { id }, body });
    },
    onSuccess: async (saved, values) => {
      const same = saved.version === values.version ? messages.common.nothingDiffers : words.updated;
      toast.success(values.id === undefined ? words.created : same);
      onSaved();
      await client.invalidateQueries({ queryKey: sitesQuery.queryKey });
      await client.invalidateQueries({ queryKey: metricsQuery.queryKey });
    },
    onError: (error) => {
      toast.error(errorText(error, words.saveFailed));
      onFailed(error);
    },
  });
}

/** Deletes a site. */
export function useDeleteSite(onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(endpoints.sites.remove, { params: { id } }),
    onSuccess: async () => {
      toast.success(words.deleted);
      onDeleted();
      await client.invalidateQueries({ queryKey: sitesQuery.queryKey });
    },
    onError: (error) => toast.error(errorText(error, words.deleteFailed)),
  });
}
