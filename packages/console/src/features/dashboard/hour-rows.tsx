import { formatCount, useTimeFormat } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import classes from './traffic-overview.module.css';
import type { TrafficPoint } from './traffic-span.ts';

const words = messages.dashboard;

/** The newest hours in figures, the running one last. */
export function HourRows(props: { hours: readonly TrafficPoint[] }) {
  const format = useTimeFormat();
  return (
    <table className={classes.rows} aria-label={words.trafficOverview}>
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          <th scope="col">{words.requests}</th>
          <th scope="col">{words.blocked}</th>
        </tr>
      </thead>
      <tbody>
        {props.hours.map((hour) => (
          <tr key={hour.time}>
            <td>{hour.label ?? format.shortTime(hour.time)}</td>
            <td>{formatCount(hour.requests)}</td>
            <td>{formatCount(hour.blocked)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
