import { Button } from '@mantine/core';
import type { AuditEntry } from '@portcullis/contract/events';
import { IconDownload, IconEraser, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Allowed } from '../../components/permission-gate.tsx';
import { messages } from '../../lib/messages/index.ts';
import { exportLogs } from './export-logs.ts';
import classes from './log-toolbar.module.css';
import type { LogStream } from './use-log-stream.ts';

const words = messages.logs;

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
  return (
    <span className={classes.connection} data-state={shown} role="status">
      <span className={classes.dot} aria-hidden />
      {words[shown]}
    </span>
  );
}
