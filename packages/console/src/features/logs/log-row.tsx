import type { AuditEntry } from '@portcullis/contract/events';
import { memo } from 'react';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { useTimeFormat } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { clientAddress } from '../../lib/queries/index.ts';
import classes from './log-row.module.css';

const words = messages.logs;

/** What a level and a decision mean, in the one set of tones. */
export const levelTones: Record<string, Tone> = {
  critical: 'danger',
  error: 'danger',
  warning: 'warning',
  info: 'info',
};
export const actionTones: Record<string, Tone> = { blocked: 'danger', challenged: 'warning' };

/** One entry on two lines (four on a phone); the whole row opens it. */
export const LogRow = memo(function LogRow(props: {
  entry: AuditEntry;
  onOpen: (entry: AuditEntry) => void;
}) {
  const { entry } = props;
  const format = useTimeFormat();
  return (
    <button type="button" className={classes.row} onClick={() => props.onOpen(entry)}>
      <time className={classes.time} dateTime={entry.timestamp} title={format.dateTime(entry.timestamp)}>
        {format.time(entry.timestamp)}
      </time>
      <span className={classes.level}>
        <Badge tone={levelTones[entry.level] ?? 'neutral'} icon={false}>
          {words.levelBadges[entry.level] ?? entry.level}
        </Badge>
      </span>
      <span className={classes.action}>{entry.action}</span>
      <span className={classes.message} title={entry.message}>
        {entry.message}
        {entry.count && entry.count > 1 ? <span className={classes.count}> ×{entry.count}</span> : null}
      </span>
      <span className={classes.request} title={entry.path}>
        {entry.method ? `${entry.method} ` : ''}
        {entry.path}
      </span>
      <span className={classes.client}>{clientAddress(entry)}</span>
      <span className={classes.site}>{entry.siteName ?? entry.host ?? ''}</span>
    </button>
  );
});
