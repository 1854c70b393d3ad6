import { endpoints } from '@portcullis/contract/api';
import type { ConfigurationImportResult, ConfigurationVersion } from '@portcullis/contract/configuration';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../components/toast.ts';
import { call, callText, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { saveFile, stamp } from '../../lib/save-file.ts';

const calls = endpoints.configuration;
const words = messages.configuration;
const pageSize = 50;

/** Saved changes, newest first, a page at a time. */
export const versionsQuery = infiniteQueryOptions({
  queryKey: ['configuration', 'versions'],
  queryFn: ({ pageParam, signal }): Promise<ConfigurationVersion[]> =>
    call(calls.versions, { query: { limit: pageSize, before: pageParam } }, signal),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: (last) => (last.length < pageSize ? undefined : last.at(-1)?.version),
});

/** One saved change with everything before and after; it never changes again but for who refused it. */
export const versionQuery = (version: number) =>
  queryOptions({
    queryKey: ['configuration', 'version', version],
    queryFn: ({ signal }) => call(calls.version, { params: { version: String(version) } }, signal),
  });

/** Brings everything back to how it stood at a version. */
export function useRestore(onRestored: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (version: number) => call(calls.restore, { params: { version: String(version) } }),
    onSuccess: (_made, version) => {
      toast.success(words.restore.done(version));
      onRestored();
    },
    onError: (error) => toast.error(errorText(error, words.restore.failed)),
    // Sites, rules, lists and settings may all be others now.
    onSettled: () => client.invalidateQueries(),
  });
}

/** Saves the whole configuration as a file. @param passphrase seals the channels' secrets into it */
export function useExport(onSaved: () => void, onFailed: (error: unknown) => void) {
  return useMutation({
    mutationFn: (passphrase: string | undefined) =>
      passphrase === undefined
        ? callText(calls.export, {})
        : callText(calls.exportSealed, { body: { passphrase } }),
    onSuccess: (text) => {
      saveFile(`portcullis-${stamp(Date.now())}.yaml`, text, 'application/yaml');
      toast.success(words.export.done);
      onSaved();
    },
    onError: (error) => {
      toast.error(errorText(error, words.export.failed));
      onFailed(error);
    },
  });
}

/** What is sent to compare a file, and to apply it. */
export interface Import {
  document: string;
  passphrase: string;
  reason: string;
  /** absent: only compares */
  base?: number;
}

/** As a file, which may be large; the passphrase goes beside it, for an address is no place for one. */
function sendFile({ document, passphrase, reason: given, base }: Import): Promise<ConfigurationImportResult> {
  const reason = given.trim() === '' ? undefined : given;
  const apply = base !== undefined;
  const query = { apply: apply ? ('true' as const) : ('false' as const), reason, base };
  const headers = passphrase === '' ? {} : { 'portcullis-passphrase': encodeURIComponent(passphrase) };
  return call(calls.importFile, { text: document, query, headers });
}

/** Compares a file with what is in force, or applies it where it names the version that it was compared with. */
export function useImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: sendFile,
    onSuccess: async ({ applied }) => {
      if (!applied) return;
      toast.success(words.import.done);
      await client.invalidateQueries();
    },
    onError: (error) => toast.error(errorText(error, words.import.failed)),
  });
}
