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
/** A mouse that rests for so long was left there, as before a screen on the wall. */
const restingMs = 20_000;

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
  const { held, why, hold, release, goOn } = useHold(props);
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
      <Foot {...props} held={fresh > 0 ? why : undefined} />
    </section>
  );
}

/** How much of the view is shown, what it lacks, and how it goes on. */
function Foot({ entries, view, paused, held }: Props & { held: Reading | undefined }) {
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
      {paused ? <span>{words.pausedText}</span> : held ? <span>{words.held[held]}</span> : null}
    </div>
  );
}

/** Why the list stands still: somebody scrolled down, points at a row with the mouse, or stands on one with the keyboard. */
type Reading = 'scrolled' | 'focused' | 'pointed';

interface Held {
  readonly entries: readonly AuditEntry[];
  /** how many had come until then */
  readonly arrived: number;
}

/** Who reads is not to have the rows pulled from under the eyes or the pointer: the list goes on when they are done. */
function useHold(props: Props) {
  const [held, setHeld] = useState<Held>();
  const [why, setWhy] = useState<Reading>();
  const reading = useRef(new Set<Reading>());
  // What was cleared is not read any more.
  if (held && props.view.entries.length === 0) setHeld(undefined);
  return {
    held,
    why,
    hold: (reason: Reading) => {
      reading.current.add(reason);
      setWhy(longest(reading.current));
      setHeld((before) => before ?? { entries: props.entries, arrived: props.view.counts.total });
    },
    release: (reason: Reading) => {
      reading.current.delete(reason);
      setWhy(longest(reading.current));
      if (reading.current.size === 0) setHeld(undefined);
    },
    goOn: () => {
      reading.current.clear();
      setHeld(undefined);
    },
  };
}

/** What holds the list for longest. */
const longest = (reading: ReadonlySet<Reading>): Reading | undefined =>
  (['scrolled', 'focused', 'pointed'] as const).find((one) => reading.has(one));

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
    let resting: ReturnType<typeof setTimeout> | undefined;
    const leave = () => {
      clearTimeout(resting);
      tell(false, 'pointed');
    };
    on('pointermove', ({ pointerType }) => {
      if (pointerType !== 'mouse') return;
      clearTimeout(resting);
      resting = setTimeout(leave, restingMs);
      tell(true, 'pointed');
    });
    on('pointerleave', leave);
    on('focusin', () => tell(list.querySelector(':focus-visible') !== null, 'focused'));
    on('focusout', () => tell(false, 'focused'));
    return () => {
      clearTimeout(resting);
      listening.abort();
    };
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
