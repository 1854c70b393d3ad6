import { endpoints } from '@portcullis/contract/api';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { toast } from '../../components/toast.ts';
import { call, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { useRulesChanged } from './protection-queries.ts';

const words = messages.protection.modal;

/** What became of templates on one site. */
export interface Outcome {
  readonly siteId: string;
  readonly state: 'waiting' | 'applied' | 'nothing' | 'failed';
  /** of `applied`: rules that were added */
  readonly count?: number;
  /** of `failed` */
  readonly reason?: string;
}

interface Application {
  readonly siteIds: readonly string[];
  readonly ruleIds: readonly string[];
}

/** Which of the templates the site has no copy of. */
async function missingOn(siteId: string, ruleIds: readonly string[]): Promise<string[]> {
  const sets = await call(endpoints.protection.list, { query: { siteId } });
  const there = new Set(sets.flatMap(({ rules }) => (rules ?? []).map(({ templateId }) => templateId)));
  return ruleIds.filter((id) => !there.has(id));
}

const apply = (siteId: string, ruleIds: readonly string[]) =>
  call(endpoints.protection.applyTemplates, { body: { siteId, ruleIds: [...ruleIds] } });

async function applyMissing(siteId: string, ruleIds: readonly string[]): Promise<Outcome> {
  try {
    const missing = await missingOn(siteId, ruleIds);
    if (missing.length === 0) return { siteId, state: 'nothing' };
    await apply(siteId, missing);
    return { siteId, state: 'applied', count: missing.length };
  } catch (error) {
    return { siteId, state: 'failed', reason: errorText(error, words.saveFailed) };
  }
}

/**
 * Copies templates into a new ruleset of a site: as asked on a single one; on each of several what it lacks, one after
 * the other, and what became of each is told.
 * @param onApplied a single site has them
 */
export function useApplyTemplates(onApplied: () => void) {
  const changed = useRulesChanged();
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>();
  const forget = useCallback(() => setOutcomes(undefined), []);
  const single = useMutation({
    mutationFn: ({ siteId, ruleIds }: { siteId: string; ruleIds: readonly string[] }) =>
      apply(siteId, ruleIds),
    onSuccess: async (_set, { siteId }) => {
      toast.success(words.templatesApplied);
      onApplied();
      await changed([siteId]);
    },
    onError: (error) => toast.error(errorText(error, words.saveFailed)),
  });
  const several = useMutation({
    mutationFn: async ({ siteIds, ruleIds }: Application) => {
      let told = siteIds.map((siteId): Outcome => ({ siteId, state: 'waiting' }));
      setOutcomes(told);
      for (const siteId of siteIds) {
        const outcome = await applyMissing(siteId, ruleIds);
        told = told.map((one) => (one.siteId === siteId ? outcome : one));
        setOutcomes(told);
      }
      return told;
    },
    onSuccess: async (told, { siteIds }) => {
      const failed = told.filter(({ state }) => state === 'failed').length;
      if (failed > 0) toast.error(words.templatesFailedOn(failed, siteIds.length));
      else if (told.some(({ state }) => state === 'applied')) toast.success(words.templatesApplied);
      await changed(siteIds);
    },
  });
  return {
    /** of the last application to several sites */
    outcomes,
    busy: single.isPending || several.isPending,
    forget,
    apply({ siteIds, ruleIds }: Application) {
      const [siteId, ...others] = siteIds;
      if (siteId !== undefined && others.length === 0 && !outcomes) single.mutate({ siteId, ruleIds });
      else several.mutate({ siteIds, ruleIds });
    },
  };
}
