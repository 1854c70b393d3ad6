import { Radio } from '@mantine/core';
import type { AuditEntry } from '@portcullis/contract/events';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceList } from '../../components/form-layout.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { toast } from '../../components/toast.ts';
import { errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { addressListsQuery, blockAddress } from '../../lib/queries/index.ts';

const words = messages.logs.block;

/** Refuses every further request of an event's client, on its site or on all. */
export function BlockModal(props: {
  address: string;
  entry: AuditEntry;
  opened: boolean;
  onClose: () => void;
}) {
  const { address, entry } = props;
  const [scope, setScope] = useState(entry.siteId === undefined ? 'all' : 'site');
  const client = useQueryClient();
  const block = useMutation({
    mutationFn: () => blockAddress(address, scope === 'site' ? entry.siteId : undefined, words.listName),
    onSuccess: async () => {
      toast.success(words.saved(address));
      props.onClose();
      await client.invalidateQueries({ queryKey: addressListsQuery.queryKey });
    },
    onError: (error) => toast.error(errorText(error, words.saveFailed)),
  });
  return (
    <FormModal
      opened={props.opened}
      title={words.title(address)}
      submit={words.submit}
      busyLabel={words.saving}
      busy={block.isPending}
      dirty={false}
      size={480}
      onClose={props.onClose}
      onSubmit={() => block.mutate()}
    >
      <p>{words.text}</p>
      <Radio.Group label={words.scope} value={scope} onChange={setScope}>
        <ChoiceList>
          {entry.siteId === undefined ? null : (
            <Radio value="site" label={words.onSite(entry.siteName ?? entry.host ?? entry.siteId)} />
          )}
          <Radio value="all" label={words.onAll} />
        </ChoiceList>
      </Radio.Group>
    </FormModal>
  );
}
