import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { messages } from '../lib/messages/index.ts';
import classes from './network-rate.module.css';

const words = messages.monitoring;
const perKilobyte = 1024;

/** What comes in and what goes out, each with its arrow, in KB/s. @param props bytes a second; undefined before two samples */
export function NetworkRate(props: { incoming: number | undefined; outgoing: number | undefined }) {
  return (
    <span className={classes.rates}>
      <span className={classes.rate} title={words.networkIn}>
        <IconArrowDown size="0.9em" stroke={1.75} aria-hidden />
        <span className="visually-hidden">{words.networkIn}</span>
        {kilobytes(props.incoming)}
      </span>
      <span className={classes.rate} title={words.networkOut}>
        <IconArrowUp size="0.9em" stroke={1.75} aria-hidden />
        <span className="visually-hidden">{words.networkOut}</span>
        {kilobytes(props.outgoing)}
      </span>
      <span className={classes.unit}>{words.networkUnit}</span>
    </span>
  );
}

const kilobytes = (bytes: number | undefined): string =>
  bytes === undefined ? '–' : (bytes / perKilobyte).toFixed(1);
