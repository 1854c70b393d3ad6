import type { PointerEvent } from 'react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { formatCompact, useTimeFormat } from '../../lib/format/index.ts';
import type { Frame } from './plot-scale.ts';
import { areaPath, labelIndexes, linear, linePath, nearestIndex, valueTicks } from './plot-scale.ts';
import classes from './time-chart.module.css';

/** What a line on a chart shows; the same thing wears the same colour everywhere. */
export type SeriesTone = 'requests' | 'blocked' | 'challenged' | 'cpu' | 'memory' | 'disk';

/** One line over time. */
export interface TimeSeries {
  label: string;
  tone: SeriesTone;
  values: readonly (number | null)[];
  /** a soft ground below the line, where lines do not lie over each other */
  filled?: boolean;
}

interface Props {
  /** Unix seconds, ascending, one for each value */
  times: readonly number[];
  series: readonly TimeSeries[];
  /** the whole chart in a sentence, for who cannot see it */
  description: string;
  height?: number;
  /** the top of the y axis where it is fixed, 100 for percentages; else a little above the highest value */
  max?: number;
  formatValue: (value: number) => string;
}

const labelRoom = 44;
const labelPx = 88;

/**
 * Lines over time: from zero, faint horizontal grid, a crosshair that reads all values. Drawn as SVG, whose
 * colours follow the theme by themselves; a chart here has some dozens of points, never thousands.
 */
export function TimeChart(props: Props) {
  const height = props.height ?? 220;
  const { holder, width } = useWidth();
  const [index, setIndex] = useState<number>();
  const frame: Frame = { left: labelRoom, right: width - 4, top: 8, bottom: height - 24 };
  const xs = useMemo(() => {
    const x = linear(props.times[0] ?? 0, props.times.at(-1) ?? 0, labelRoom, width - 4);
    return props.times.map(x);
  }, [props.times, width]);
  const onMove = (event: PointerEvent<HTMLDivElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    setIndex(nearestIndex(xs, event.clientX - left));
  };
  return (
    <figure className={classes.chart}>
      <Readout {...props} index={index} />
      <div ref={holder} onPointerMove={onMove} onPointerLeave={() => setIndex(undefined)} style={{ height }}>
        {width > 0 ? (
          <Plot {...props} frame={frame} xs={xs} index={index} width={width} height={height} />
        ) : null}
      </div>
    </figure>
  );
}

function useWidth() {
  const holder = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    // Tells the first width too, after the page was laid out: to ask for it would lay out once more.
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { holder, width };
}

interface PlotProps extends Props {
  frame: Frame;
  xs: readonly number[];
  index: number | undefined;
  width: number;
  height: number;
}

function Plot(props: PlotProps) {
  const { frame, xs, index } = props;
  const title = useId();
  const top = props.max ?? topOf(props.series);
  const y = linear(0, top, frame.bottom, frame.top);
  const cursor = index === undefined ? undefined : xs[index];
  return (
    <svg
      width={props.width}
      height={props.height}
      role="img"
      aria-labelledby={title}
      className={classes.plot}
    >
      <title id={title}>{props.description}</title>
      {valueTicks(top).map((value) => (
        <g key={value}>
          <line x1={frame.left} x2={frame.right} y1={y(value)} y2={y(value)} className={classes.grid} />
          <text x={frame.left - 8} y={y(value) + 4} textAnchor="end">
            {formatCompact(value)}
          </text>
        </g>
      ))}
      <TimeLabels {...props} />
      {props.series.map((series) => {
        const path = linePath(xs, series.values, y);
        return (
          <g key={series.label} data-tone={series.tone}>
            {series.filled ? <path d={areaPath(path, xs, frame.bottom)} className={classes.area} /> : null}
            <path d={path} className={classes.line} />
          </g>
        );
      })}
      {cursor === undefined ? null : (
        <line x1={cursor} x2={cursor} y1={frame.top} y2={frame.bottom} className={classes.cursor} />
      )}
      {props.series.map((series) => {
        const value = index === undefined ? undefined : series.values[index];
        return cursor === undefined || typeof value !== 'number' ? null : (
          <g key={series.label} data-tone={series.tone}>
            <circle cx={cursor} cy={y(value)} r={3.5} className={classes.point} />
          </g>
        );
      })}
    </svg>
  );
}

function TimeLabels(props: PlotProps) {
  const { frame, times, xs } = props;
  const format = useTimeFormat();
  // Seconds too where the whole axis spans but a few minutes.
  const short = (times.at(-1) ?? 0) - (times[0] ?? 0) < 600;
  return labelIndexes(xs, labelPx).map((at) => {
    const x = xs[at] ?? 0;
    const moment = (times[at] ?? 0) * 1000;
    const anchor = x > frame.right - labelPx / 2 ? 'end' : x < frame.left + labelPx / 2 ? 'start' : 'middle';
    return (
      <text key={times[at]} x={x} y={frame.bottom + 18} textAnchor={anchor}>
        {short ? format.time(moment) : format.shortTime(moment)}
      </text>
    );
  });
}

/** The top of the y axis: some air above the highest value, and never a flat zero. */
function topOf(series: readonly TimeSeries[]): number {
  const highest = Math.max(0, ...series.flatMap((line) => line.values.map((value) => value ?? 0)));
  return highest > 0 ? highest * 1.1 : 10;
}

/** Names and values: of the moment under the crosshair, else of the last one. */
function Readout(props: Props & { index: number | undefined }) {
  const format = useTimeFormat();
  const at = props.index ?? props.times.length - 1;
  const time = props.times[at];
  return (
    <figcaption className={classes.readout} aria-hidden>
      {props.series.map((line) => {
        const value = line.values[at];
        return (
          <span key={line.label} className={classes.key} data-tone={line.tone}>
            {line.label}
            <strong>{value === null || value === undefined ? '–' : props.formatValue(value)}</strong>
          </span>
        );
      })}
      {time === undefined ? null : <span className={classes.at}>{format.dateTime(time * 1000)}</span>}
    </figcaption>
  );
}
