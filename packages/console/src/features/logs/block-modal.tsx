import { Radio, Select } from '@mantine/core';
import type { AuditEntry } from '@portcullis/contract/events';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceList } from '../../components/form-layout.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { toast } from '../../components/toast.ts';
import { errorText } from '../../lib/api/index.ts';
import { useTimeFormat } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import type { Lifetime } from '../../lib/queries/index.ts';
import { addressListsQuery, blockAddress, endOf } from '../../lib/queries/index.ts';

const words = messages.logs.block;
const lifetimes = Object.entries(words.lifetimes).map(([value, label]) => ({
  value: value as Lifetime,
  label,
}));

/** Refuses every further request of an event's client, on its site or on all. */
export function BlockModal(props: {
  address: string;
  entry: AuditEntry;
  opened: boolean;
  onClose: () => void;
}) {
  const { address, entry } = props;
  const [scope, setScope] = useState(entry.siteId === undefined ? 'all' : 'site');
  const [lifetime, setLifetime] = useState<Lifetime>('never');
  const format = useTimeFormat();
  const client = useQueryClient();
  const block = useMutation({
    mutationFn: async () => {
      const siteId = scope === 'site' ? entry.siteId : undefined;
      const end = endOf(lifetime, Date.now());
      await blockAddress(address, { siteId, name: words.listName }, end);
      return end;
    },
    onSuccess: async (end) => {
      toast.success(
        end === undefined
          ? words.saved(address)
          : words.savedUntil(address, format.dateTime(Date.parse(end))),
      );
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
      <Select
        label={words.lifetime}
        data={lifetimes}
        allowDeselect={false}
        value={lifetime}
        onChange={(chosen) => setLifetime(chosen as Lifetime)}
      />
    </FormModal>
  );
}
