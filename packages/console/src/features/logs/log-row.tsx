import type { AuditEntry } from '@portcullis/contract/events';
import { memo } from 'react';
import type { Tone } from '../../components/badge.tsx';
import { Badge } from '../../components/badge.tsx';
import { useTimeFormat } from '../../lib/format/index.ts';
import { entryLabel } from '../../lib/messages/actions.ts';
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
export const actionTones: Record<string, Tone> = {
  blocked: 'danger',
  challenged: 'warning',
  allowed: 'ok',
};

/** How high a row is, for the list draws only those in sight. */
const heights = { plain: 30, wide: 50, narrow: 72 } as const;

/** Whether it is ordinary traffic, that passed and is shown while somebody watches: one quiet line. */
const isPlain = ({ level }: AuditEntry): boolean => level === 'debug';

/** @returns how high the row of an entry is, in pixels */
export const rowHeight = (entry: AuditEntry | undefined, narrow: boolean): number =>
  entry && isPlain(entry) ? heights.plain : narrow ? heights.narrow : heights.wide;

/** An entry that something was decided about on two lines (three on a phone), ordinary traffic on one; it opens it. */
export const LogRow = memo(function LogRow(props: {
  entry: AuditEntry;
  onOpen: (entry: AuditEntry) => void;
}) {
  const { entry } = props;
  const format = useTimeFormat();
  const plain = isPlain(entry);
  return (
    <button
      type="button"
      className={classes.row}
      data-plain={plain || undefined}
      data-tone={levelTones[entry.level]}
      onClick={() => props.onOpen(entry)}
    >
      <time className={classes.time} dateTime={entry.timestamp} title={format.dateTime(entry.timestamp)}>
        {format.time(entry.timestamp)}
      </time>
      {plain ? <Passed entry={entry} /> : <Decided entry={entry} />}
      <span className={classes.client}>{clientAddress(entry)}</span>
    </button>
  );
});

/** What was decided and why, and the request that it was decided on. */
function Decided({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <span className={classes.level}>
        <Badge tone={levelTones[entry.level] ?? 'neutral'} icon={false}>
          {words.levelBadges[entry.level] ?? entry.level}
        </Badge>
      </span>
      <span className={classes.action} title={entry.action}>
        {entryLabel(entry)}
      </span>
      <span className={classes.message} title={entry.message}>
        {entry.message}
        {entry.count && entry.count > 1 ? <span className={classes.count}> ×{entry.count}</span> : null}
      </span>
      <span className={classes.request} title={entry.path}>
        {requestOf(entry)}
      </span>
      <span className={classes.site}>{siteOf(entry)}</span>
    </>
  );
}

/** A request that passed, and how it was answered. */
function Passed({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <span className={classes.level}>{words.levelBadges[entry.level] ?? entry.level}</span>
      <span className={classes.request} title={[requestOf(entry), siteOf(entry)].join('\n')}>
        {requestOf(entry)} <span className={classes.answer}>{withoutMethod(entry)}</span>
      </span>
    </>
  );
}

const requestOf = ({ method, path }: AuditEntry): string => [method, path].filter(Boolean).join(' ');
const siteOf = ({ siteName, host }: AuditEntry): string => siteName ?? host ?? '';

/** 'GET answered 200' beside a request that begins with GET says it twice. */
const withoutMethod = ({ message, method }: AuditEntry): string =>
  method !== undefined && message.startsWith(`${method} `) ? message.slice(method.length + 1) : message;
