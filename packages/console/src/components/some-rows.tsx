import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { formatCount } from '../lib/format/index.ts';
import { messages } from '../lib/messages/index.ts';
import classes from './some-rows.module.css';

const words = messages.common;
const step = 100;
const few = 3;

/** Whether they are so few that they stand below what is wide: beside it they would leave a panel empty. */
export const areFew = (rows: number): boolean => rows <= few;

/** A list that may be ten thousand long, in steps: a browser is slow to draw and nobody reads them all. */
export function useSomeRows<Row>(rows: readonly Row[]) {
  const [most, setMost] = useState(step);
  return {
    /** the first of them */
    shown: rows.length > most ? rows.slice(0, most) : rows,
    /** says how many there are, with a way to see more; null where all are shown */
    foot:
      rows.length > most ? (
        <div className={classes.foot}>
          <span>{words.shownOf(formatCount(most), formatCount(rows.length))}</span>
          <Button variant="default" size="compact-xs" onClick={() => setMost(most + step)}>
            {words.showMore}
          </Button>
        </div>
      ) : null,
  };
}

/**
 * The first few of a list on a phone, where each row is a card and what stands below is far away; all of it elsewhere.
 * @param rows worst or newest first
 */
export function useFewOnPhone<Row>(rows: readonly Row[]) {
  const narrow = useMediaQuery('(max-width: 760px)') ?? false;
  const [all, setAll] = useState(false);
  const cut = narrow && !all && rows.length > few;
  return {
    shown: cut ? rows.slice(0, few) : rows,
    /** a way to see all; null where they are shown */
    more: cut ? (
      <div className={classes.foot}>
        <Button variant="default" size="compact-sm" onClick={() => setAll(true)}>
          {words.showAll(formatCount(rows.length))}
        </Button>
      </div>
    ) : null,
  };
}
