import type { AddressListAnswer } from '@portcullis/contract/access';
import { endpoints } from '@portcullis/contract/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../components/toast.ts';
import { call, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { addressListsQuery } from '../../lib/queries/index.ts';
import type { ListValues } from './list-values.ts';
import { listToSend } from './list-values.ts';

const words = messages.access;

/** Creates a list, or saves the one that is given. */
export function useSaveList(
  list: AddressListAnswer | undefined,
  onSaved: () => void,
  onFailed: (error: unknown) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: ListValues) => {
      const body = listToSend(values, list);
      return list
        ? call(endpoints.access.update, {
            params: { id: list.id },
            body: { ...body, version: list.version },
          })
        : call(endpoints.access.create, { body });
    },
    onSuccess: async (saved) => {
      const same = saved.version === list?.version ? messages.common.nothingDiffers : words.form.updated;
      toast.success(list ? same : words.form.created);
      onSaved();
      await client.invalidateQueries({ queryKey: addressListsQuery.queryKey });
    },
    onError: (error) => {
      toast.error(errorText(error, words.form.saveFailed));
      onFailed(error);
    },
  });
}

/** Deletes a list. */
export function useDeleteList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(endpoints.access.remove, { params: { id } }),
    onSuccess: () => toast.success(words.removed),
    onError: (error) => toast.error(errorText(error, words.removeFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: addressListsQuery.queryKey }),
  });
}
