import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { AuditEntry } from '@portcullis/contract/events';
import { IconRadar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { EmptyState } from '../../components/states.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import type { LogView } from './log-buffer.ts';
import classes from './log-list.module.css';
import { LogRow, rowHeight } from './log-row.tsx';

const words = messages.logs;
/** scrolled less than this, the newest rows are in sight still */
const topPx = 20;

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
  const { held, hold, release, goOn } = useHold(props);
  const scroller = useRef<HTMLDivElement>(null);
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
        <Rows scroller={scroller} entries={entries} onOpen={props.onOpen} onHold={hold} onRelease={release} />
      )}
      {fresh > 0 ? (
        <Button
          className={classes.fresh}
          size="compact-sm"
          onClick={() => {
            goOn();
            scroller.current?.scrollTo({ top: 0 });
          }}
        >
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

/** Why the list stands still: somebody scrolled down, points at a row with the mouse, or stands on one with the keyboard. */
type Reading = 'scrolled' | 'pointed' | 'focused';

/** Who reads is not to have the rows pulled from under the eyes or the pointer: the list goes on when they are done. */
function useHold(props: Props) {
  const [held, setHeld] = useState<{ entries: readonly AuditEntry[]; arrived: number }>();
  const reading = useRef(new Set<Reading>());
  return {
    // What was cleared is not read any more.
    held: props.view.entries.length === 0 ? undefined : held,
    hold: (why: Reading) => {
      reading.current.add(why);
      setHeld((before) => before ?? { entries: props.entries, arrived: props.view.counts.total });
    },
    release: (why: Reading) => {
      reading.current.delete(why);
      if (reading.current.size === 0) setHeld(undefined);
    },
    goOn: () => {
      reading.current.clear();
      setHeld(undefined);
    },
  };
}

/** Tells what somebody does with the list: the mouse over it, the keyboard within it, and how far it is scrolled. */
function useReading(
  scroller: RefObject<HTMLDivElement | null>,
  onHold: (why: Reading) => void,
  onRelease: (why: Reading) => void,
): void {
  const tell = useEffectEvent((still: boolean, why: Reading) => (still ? onHold : onRelease)(why));
  useEffect(() => {
    const list = scroller.current;
    if (!list) return;
    const listening = new AbortController();
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
    ) => list.addEventListener(name, listener, { signal: listening.signal, passive: true });
    on('scroll', () => tell(list.scrollTop > topPx, 'scrolled'));
    on('pointermove', ({ pointerType }) => pointerType === 'mouse' && tell(true, 'pointed'));
    on('pointerleave', () => tell(false, 'pointed'));
    on('focusin', () => tell(list.querySelector(':focus-visible') !== null, 'focused'));
    on('focusout', () => tell(false, 'focused'));
    return () => listening.abort();
  }, [scroller]);
}

function Rows(props: {
  scroller: RefObject<HTMLDivElement | null>;
  entries: readonly AuditEntry[];
  onOpen: (entry: AuditEntry) => void;
  onHold: (why: Reading) => void;
  onRelease: (why: Reading) => void;
}) {
  const { entries, scroller, onHold, onRelease } = props;
  const narrow = useMediaQuery('(max-width: 760px)') ?? false;
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowHeight(entries[index], narrow),
    getItemKey: (index) => entries[index]?.id ?? index,
    overscan: 6,
  });
  useReading(scroller, onHold, onRelease);
  return (
    <div className={classes.scroller} ref={scroller} data-testid="log-scroller">
      <ul className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const entry = entries[item.index];
          return entry ? (
            <li
              key={item.key}
              className={classes.row}
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
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
