import { formatAge, parseTime, useNow, useTimeFormat } from '../lib/format/index.ts';

/** A moment as its age, the exact time in the user's zone on hover. */
export function RelativeTime(props: { at: string | number }) {
  const now = useNow();
  const format = useTimeFormat();
  const date = parseTime(props.at);
  if (!date) return <span>{props.at}</span>;
  return (
    <time className="tabular" dateTime={date.toISOString()} title={format.dateTime(date.getTime())}>
      {formatAge(date, now)}
    </time>
  );
}

/** A moment written out in the user's zone and format. */
export function Moment(props: { at: string | number; part?: 'time' | 'date' | 'dateTime' }) {
  const format = useTimeFormat();
  const date = parseTime(props.at);
  if (!date) return <span>{props.at}</span>;
  return (
    <time className="tabular" dateTime={date.toISOString()} title={format.dateTime(date.getTime())}>
      {format[props.part ?? 'dateTime'](date.getTime())}
    </time>
  );
}
