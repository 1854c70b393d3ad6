import { Button } from '@mantine/core';
import type { AuditEntry } from '@portcullis/contract/events';
import { IconDownload, IconEraser, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { ConnectionState } from '../../components/connection-state.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { messages } from '../../lib/messages/index.ts';
import { exportLogs } from './export-logs.ts';
import type { LogStream } from './use-log-stream.ts';

const words = messages.logs;
const tones = { connected: 'good', connecting: 'waiting', disconnected: 'bad', paused: 'off' } as const;

/** The connection, and what can be done with the stream. */
export function LogToolbar(props: { stream: LogStream; entries: readonly AuditEntry[] }) {
  const { stream, entries } = props;
  return (
    <>
      <Connection stream={stream} />
      <Button
        variant="default"
        leftSection={stream.paused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
        onClick={() => stream.setPaused(!stream.paused)}
      >
        {stream.paused ? words.resume : words.pause}
      </Button>
      <Allowed anyOf={['audit:export']}>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          disabled={entries.length === 0}
          onClick={() => exportLogs(entries)}
        >
          {words.export}
        </Button>
      </Allowed>
      <Button
        variant="default"
        leftSection={<IconEraser size={16} />}
        disabled={entries.length === 0}
        onClick={stream.clear}
      >
        {words.clear}
      </Button>
    </>
  );
}

function Connection(props: { stream: LogStream }) {
  const { state, paused } = props.stream;
  const shown = paused ? 'paused' : state;
  return <ConnectionState tone={tones[shown]} label={words[shown]} />;
}
