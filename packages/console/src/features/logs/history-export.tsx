import { Button } from '@mantine/core';
import { endpoints } from '@portcullis/contract/api';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Allowed } from '../../components/permission-gate.tsx';
import { toast } from '../../components/toast.ts';
import { callText, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { saveFile, stamp } from '../../lib/save-file.ts';
import type { LogsSearch } from './search.ts';
import { filterOf } from './use-history.ts';

const words = messages.logs.history;
const types = { csv: 'text/csv', json: 'application/json' } as const;

/** Downloads all stored events that fit, not only those that are shown. */
export function HistoryExport(props: { search: LogsSearch }) {
  const save = useMutation({
    mutationFn: async (format: 'csv' | 'json') => {
      const query = { ...filterOf(props.search, Date.now()), format };
      const text = await callText(endpoints.events.export, { query });
      saveFile(`portcullis-events-${stamp(Date.now())}.${format}`, text, types[format]);
    },
    onError: (error) => toast.error(errorText(error, words.exportFailed)),
  });
  const busy = (format: string) => save.isPending && save.variables === format;
  return (
    <Allowed anyOf={['audit:export']}>
      {(['csv', 'json'] as const).map((format) => (
        <Button
          key={format}
          variant="default"
          leftSection={<IconDownload size={16} />}
          disabled={save.isPending}
          onClick={() => save.mutate(format)}
        >
          {busy(format) ? words.exporting : format === 'csv' ? words.exportCsv : words.exportJson}
        </Button>
      ))}
    </Allowed>
  );
}
