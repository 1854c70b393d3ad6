import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { AuditEntry } from '@portcullis/contract/events';
import { IconRadar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { EmptyState } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import type { LogView } from './log-buffer.ts';
import classes from './log-list.module.css';
import { LogRow } from './log-row.tsx';

const words = messages.logs;
const wideRowPx = 50;
const narrowRowPx = 94;

interface Props {
  /** those of the view that pass the filters */
  entries: readonly AuditEntry[];
  view: LogView;
  paused: boolean;
  onOpen: (entry: AuditEntry) => void;
}

/** The entries, newest first, at most 600 px high; only what is in sight is drawn. */
export function LogList(props: Props) {
  const { view } = props;
  const total = view.entries.length;
  const { held, hold, release } = useHold(props);
  const entries = held?.entries ?? props.entries;
  const fresh = held ? view.counts.total - held.arrived : 0;
  return (
    <section className={classes.panel} aria-label={words.list}>
      <div className={classes.head} aria-hidden>
        {words.liveColumns.map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      {entries.length === 0 ? (
        <EmptyState
          icon={IconRadar}
          title={total === 0 ? words.waiting : words.noMatch}
          {...(total === 0 ? { text: words.waitingText } : {})}
        />
      ) : (
        <Rows
          entries={entries}
          onOpen={props.onOpen}
          onAway={hold}
          onTop={release}
          held={held !== undefined}
        />
      )}
      {fresh > 0 ? (
        <Button className={classes.fresh} size="compact-sm" onClick={release}>
          {words.newEvents(formatCount(fresh))}
        </Button>
      ) : null}
      <Foot {...props} />
    </section>
  );
}

/** How much of the view is shown, and what it lacks. */
function Foot({ entries, view, paused }: Props) {
  const { missed, gapSince } = view;
  return (
    <div className={classes.foot}>
      <span>{words.shown(formatCount(entries.length), formatCount(view.entries.length))}</span>
      {missed > 0 ? <span>{words.missed(formatCount(missed))}</span> : null}
      {gapSince === undefined ? null : (
        <span>
          {words.gap}{' '}
          <Link to="/logs" search={{ view: 'history', from: new Date(gapSince).toISOString() }}>
            {words.gapLink}
          </Link>
        </span>
      )}
      {paused ? <span>{words.pausedText}</span> : null}
    </div>
  );
}

/** Who scrolled down is reading: the list stands still until they come back to the top. */
function useHold(props: Props) {
  const [held, setHeld] = useState<{ entries: readonly AuditEntry[]; arrived: number }>();
  return {
    held,
    hold: () => setHeld((before) => before ?? { entries: props.entries, arrived: props.view.counts.total }),
    release: () => setHeld(undefined),
  };
}

function Rows(props: {
  entries: readonly AuditEntry[];
  held: boolean;
  onOpen: (entry: AuditEntry) => void;
  onAway: () => void;
  onTop: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery('(max-width: 760px)') ?? false;
  const rowPx = narrow ? narrowRowPx : wideRowPx;
  const { entries } = props;
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 6,
  });
  const onScroll = () => {
    const top = (scroller.current?.scrollTop ?? 0) <= rowPx / 2;
    if (top === props.held) (top ? props.onTop : props.onAway)();
  };
  return (
    <div className={classes.scroller} ref={scroller} onScroll={onScroll} data-testid="log-scroller">
      <ul className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const entry = entries[item.index];
          return entry ? (
            <li
              key={item.key}
              className={classes.row}
              style={{ height: rowPx, transform: `translateY(${item.start}px)` }}
              aria-setsize={entries.length}
              aria-posinset={item.index + 1}
            >
              <LogRow entry={entry} onOpen={props.onOpen} />
            </li>
          ) : null;
        })}
      </ul>
    </div>
  );
}
