import type { BanAnswer } from '@portcullis/contract/access';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../lib/api/index.ts';
import { messages } from '../lib/messages/index.ts';
import { bansQuery, liftBan } from '../lib/queries/index.ts';
import { toast } from './toast.ts';

const words = messages.access.bans;

/** Ends a ban on every gateway. */
export function useLiftBan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Pick<BanAnswer, 'id' | 'address'>) => liftBan(id),
    onSuccess: (_, { address }) => toast.success(words.lifted(address)),
    onError: (error) => toast.error(errorText(error, words.liftFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: bansQuery.queryKey }),
  });
}
