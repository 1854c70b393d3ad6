import { endpoints } from '@portcullis/contract/api';
import type { Ruleset } from '@portcullis/contract/protection';
import type { SecurityLevel } from '@portcullis/contract/vocabulary';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../components/toast.ts';
import { ApiError, call, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { sitesQuery } from '../../lib/queries/index.ts';
import type { RuleValues } from './rule-values.ts';
import { ruleToSend } from './rule-values.ts';

const words = messages.protection;

/** The rulesets of a site, with their rules; of every site where none is named. */
export const rulesetsQuery = (siteId: string | undefined) =>
  queryOptions({
    queryKey: ['rulesets', siteId ?? 'all'],
    queryFn: async ({ signal }): Promise<Ruleset[]> => {
      const sets = await call(endpoints.protection.list, { query: { siteId } }, signal);
      return sets.map((set) => ({ ...set, rules: set.rules ?? [] }));
    },
  });

/** One ruleset, fresh for its editor. */
export const rulesetQuery = (id: string) =>
  queryOptions({
    queryKey: ['ruleset', id],
    queryFn: async ({ signal }): Promise<Ruleset> => {
      const answer = await call(endpoints.protection.get, { params: { id } }, signal);
      if (!('version' in answer)) throw new ApiError(200, { error: messages.protection.set.loadFailed });
      return { ...answer, rules: answer.rules ?? [] };
    },
    gcTime: 0,
  });

/** Rules that can be applied as they are. */
export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => call(endpoints.protection.templates, {}, signal),
  staleTime: 300_000,
});

/** What is known of the rules of these sites, and of all sites together, is asked for anew. */
export function useRulesChanged() {
  const client = useQueryClient();
  return (siteIds: readonly string[]) =>
    Promise.all(
      [...siteIds, undefined].map((of) => client.invalidateQueries({ queryKey: rulesetsQuery(of).queryKey })),
    );
}

/** Turns a rule or a whole ruleset on or off. */
export function useSetStatus(siteId: string) {
  const changed = useRulesChanged();
  return useMutation({
    mutationFn: ({ id, active }: { id: string; active: boolean }) =>
      call(endpoints.protection.update, { params: { id }, body: { status: active ? 'active' : 'inactive' } }),
    onSuccess: async () => {
      toast.success(words.statusUpdated);
      await changed([siteId]);
    },
    onError: () => toast.error(words.statusFailed),
  });
}

/** Creates a custom rule, or saves it where it has an id. */
export function useSaveRule(siteId: string, onSaved: () => void, onFailed: (error: unknown) => void) {
  const changed = useRulesChanged();
  return useMutation({
    mutationFn: ({ id, values }: { id: string | undefined; values: RuleValues }) => {
      const fields = { ...ruleToSend(values), siteId };
      return id === undefined
        ? call(endpoints.protection.create, { body: { ...fields, status: 'active' } })
        : call(endpoints.protection.update, { params: { id }, body: fields });
    },
    onSuccess: async (_saved, { id }) => {
      toast.success(id === undefined ? words.modal.created : words.modal.updated);
      onSaved();
      await changed([siteId]);
    },
    onError: (error) => {
      toast.error(errorText(error, words.modal.saveFailed));
      onFailed(error);
    },
  });
}

/** Saves a ruleset with its rules as they stand in the editor. */
export function useSaveRuleset(siteId: string, onSaved: () => void) {
  const changed = useRulesChanged();
  return useMutation({
    mutationFn: (set: Ruleset) =>
      call(endpoints.protection.update, { params: { id: set.id }, body: { ...set } }),
    onSuccess: async (saved, { version }) => {
      const same = 'version' in saved && saved.version === version;
      toast.success(same ? messages.common.nothingDiffers : words.set.updated);
      onSaved();
      await changed([siteId]);
    },
    onError: (error) => toast.error(errorText(error, words.set.updateFailed)),
  });
}

/** Deletes a ruleset with its rules. */
export function useDeleteRuleset(siteId: string) {
  const changed = useRulesChanged();
  return useMutation({
    mutationFn: (id: string) => call(endpoints.protection.remove, { params: { id } }),
    onSuccess: async () => {
      toast.success(words.setDeleted);
      await changed([siteId]);
    },
    onError: (error) => toast.error(errorText(error, words.setDeleteFailed)),
  });
}

/** Sets the security level of a site; the choice shows at once and goes back if it is refused. */
export function useSetLevel(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (level: SecurityLevel) =>
      call(endpoints.sites.updateSecurityLevel, {
        params: { id: siteId },
        body: { security_level: level },
      }),
    onMutate: async (level) => {
      await client.cancelQueries({ queryKey: sitesQuery.queryKey });
      const before = client.getQueryData(sitesQuery.queryKey);
      client.setQueryData(sitesQuery.queryKey, (sites) =>
        sites?.map((site) => (site.id === siteId ? { ...site, security_level: level } : site)),
      );
      return { before };
    },
    onSuccess: () => toast.success(words.levelUpdated),
    onError: (_error, _level, context) => {
      client.setQueryData(sitesQuery.queryKey, context?.before);
      toast.error(words.levelFailed);
    },
    onSettled: () => client.invalidateQueries({ queryKey: sitesQuery.queryKey }),
  });
}
