import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../lib/format/index.ts';
import { messages } from '../lib/messages/index.ts';
import classes from './some-rows.module.css';

const words = messages.common;
const step = 100;

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
