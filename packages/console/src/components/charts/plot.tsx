import { formatCompact, useTimeFormat } from '../../lib/format/index.ts';
import type { Frame } from './plot-scale.ts';
import { areaPath, labelIndexes, linear, linePath, valueTicks } from './plot-scale.ts';
import classes from './time-chart.module.css';

/** What a line on a chart shows; the same thing wears the same colour everywhere. */
export type SeriesTone =
  | 'requests'
  | 'blocked'
  | 'challenged'
  | 'cpu'
  | 'memory'
  | 'disk'
  | 'p50'
  | 'p95'
  | 'p99';

/** One line over time. */
export interface TimeSeries {
  label: string;
  tone: SeriesTone;
  values: readonly (number | null)[];
  /** a soft ground below the line, where lines do not lie over each other */
  filled?: boolean;
}

interface Props {
  times: readonly number[];
  series: readonly TimeSeries[];
  max?: number;
  unit?: string;
  frame: Frame;
  xs: readonly number[];
  /** the moment under the crosshair */
  index: number | undefined;
  /** first and last index of what is being chosen */
  stretch: readonly [number, number] | undefined;
  width: number;
  height: number;
}

/** pixels that one label of the time axis takes */
const labelPx = 88;

/** The drawing of a chart: grid, lines, crosshair and the stretch that is being chosen. */
export function Plot(props: Props) {
  const { frame, xs, index, stretch } = props;
  const top = props.max ?? topOf(props.series);
  const y = linear(0, top, frame.bottom, frame.top);
  return (
    <svg width={props.width} height={props.height} aria-hidden className={classes.plot}>
      {valueTicks(top).map((value) => (
        <g key={value}>
          <line x1={frame.left} x2={frame.right} y1={y(value)} y2={y(value)} className={classes.grid} />
          <text x={frame.left - 8} y={y(value) + 4} textAnchor="end">
            {formatCompact(value)}
            {props.unit}
          </text>
        </g>
      ))}
      <TimeLabels {...props} />
      {stretch ? <Chosen frame={frame} from={xs[stretch[0]] ?? 0} to={xs[stretch[1]] ?? 0} /> : null}
      {props.series.map((series) => {
        const path = linePath(xs, series.values, y);
        return (
          <g key={series.label} data-tone={series.tone}>
            {series.filled ? <path d={areaPath(path, xs, frame.bottom)} className={classes.area} /> : null}
            <path d={path} className={classes.line} />
          </g>
        );
      })}
      {index === undefined ? null : <Crosshair {...props} x={xs[index] ?? 0} index={index} y={y} />}
    </svg>
  );
}

function Chosen(props: { frame: Frame; from: number; to: number }) {
  const { frame, from, to } = props;
  return (
    <rect
      x={from}
      y={frame.top}
      width={Math.max(1, to - from)}
      height={frame.bottom - frame.top}
      className={classes.chosen}
    />
  );
}

function Crosshair(props: Props & { x: number; index: number; y: (value: number) => number }) {
  const { frame, x, y, index } = props;
  return (
    <>
      <line x1={x} x2={x} y1={frame.top} y2={frame.bottom} className={classes.cursor} />
      {props.series.map((series) => {
        const value = series.values[index];
        return typeof value === 'number' ? (
          <g key={series.label} data-tone={series.tone}>
            <circle cx={x} cy={y(value)} r={3.5} className={classes.point} />
          </g>
        ) : null;
      })}
    </>
  );
}

function TimeLabels(props: Props) {
  const { frame, times, xs } = props;
  const format = useTimeFormat();
  const spanSeconds = (times.at(-1) ?? 0) - (times[0] ?? 0);
  // Seconds too where the whole axis spans but a few minutes, days alone where it spans several.
  const write = spanSeconds < 600 ? format.time : spanSeconds > 172_800 ? format.date : format.shortTime;
  const moments = labelIndexes(xs, labelPx).map((at) => ({ at, text: write((times[at] ?? 0) * 1000) }));
  // Samples of the same second would stand there twice.
  const told = moments.filter(({ text }, index) => text !== moments[index + 1]?.text);
  return told.map(({ at, text }) => {
    const x = xs[at] ?? 0;
    const anchor = x > frame.right - labelPx / 2 ? 'end' : x < frame.left + labelPx / 2 ? 'start' : 'middle';
    return (
      <text key={times[at]} x={x} y={frame.bottom + 18} textAnchor={anchor}>
        {text}
      </text>
    );
  });
}

/** The top of the y axis: some air above the highest value, and never a flat zero. */
function topOf(series: readonly TimeSeries[]): number {
  const highest = Math.max(0, ...series.flatMap((line) => line.values.map((value) => value ?? 0)));
  return highest > 0 ? highest * 1.1 : 10;
}
