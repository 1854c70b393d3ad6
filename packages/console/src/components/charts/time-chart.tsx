import 'uplot/dist/uPlot.min.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import UPlot from 'uplot';
import { formatCompact, useTimeFormat } from '../../lib/format/index.ts';
import { usePreferences, useScheme } from '../../lib/preferences/index.ts';
import type { SeriesTone } from './colors.ts';
import { cssColor, toneColor } from './colors.ts';
import classes from './time-chart.module.css';

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
  /** fixes the y axis, `[0, 100]` for percentages; else from zero to a little above the highest value */
  range?: [number, number];
  formatValue: (value: number) => string;
  /** what a selected stretch of time leads to, Unix seconds */
  onSelect?: (from: number, to: number) => void;
}

/** Lines over time: from zero, faint horizontal grid, a crosshair that reads all values. */
export function TimeChart(props: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const [index, setIndex] = useState<number | null>(null);
  const scheme = useScheme();
  const { display } = usePreferences();
  const format = useTimeFormat();
  const data = useMemo(
    () => [props.times, ...props.series.map((line) => line.values)] as unknown as UPlot.AlignedData,
    [props.times, props.series],
  );
  const latest = useRef({ props, format, data });
  latest.current = { props, format, data };
  const shape = props.series.map((line) => `${line.label} ${line.tone}`).join('|');
  const height = props.height ?? 220;

  const look = `${scheme} ${display.high_contrast} ${shape}`;

  useEffect(() => {
    const element = holder.current;
    // Drawn anew only when its look changes: a canvas keeps the colours that it was made with.
    if (!element || look === '') return;
    const made = new UPlot(
      options(latest, element.clientWidth, height, setIndex),
      latest.current.data,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, [look, height]);

  useEffect(() => plot.current?.setData(data), [data]);

  return (
    <figure className={classes.chart}>
      <Readout {...props} index={index} />
      <div ref={holder} role="img" aria-label={props.description} style={{ height }} />
    </figure>
  );
}

/** Names and values: of the moment under the crosshair, else of the last one. */
function Readout(props: Props & { index: number | null }) {
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

interface Latest {
  current: { props: Props; format: ReturnType<typeof useTimeFormat> };
}

function options(
  latest: Latest,
  width: number,
  height: number,
  onCursor: (index: number | null) => void,
): UPlot.Options {
  const { props } = latest.current;
  const font = `11px ${cssColor('--pc-font')}`;
  const axis = { stroke: cssColor('--pc-dim'), font, ticks: { show: false }, border: { show: false } };
  return {
    width,
    height,
    legend: { show: false },
    cursor: {
      y: false,
      points: { size: 7 },
      drag: { x: props.onSelect !== undefined, y: false, setScale: false },
    },
    scales: { x: { time: true }, y: { range: props.range ?? ((_, __, max) => [0, niceTop(max)]) } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 90,
        size: 28,
        values: (_, splits) => splits.map((split) => timeLabel(latest.current, splits, split)),
      },
      {
        ...axis,
        grid: { stroke: cssColor('--pc-chart-grid'), width: 1 },
        size: 46,
        space: 44,
        values: (_, splits) => splits.map((split) => formatCompact(split)),
      },
    ],
    series: [{}, ...props.series.map(line)],
    hooks: {
      setCursor: [(chart) => onCursor(chart.cursor.idx ?? null)],
      setSelect: [
        (chart) => {
          if (chart.select.width < 4) return;
          const from = chart.posToVal(chart.select.left, 'x');
          const to = chart.posToVal(chart.select.left + chart.select.width, 'x');
          latest.current.props.onSelect?.(from, to);
        },
      ],
    },
  };
}

/** Hours and minutes; seconds too where the whole axis spans but a few minutes. */
function timeLabel({ format }: Latest['current'], splits: number[], split: number): string {
  const span = (splits.at(-1) ?? 0) - (splits[0] ?? 0);
  return span < 600 ? format.time(split * 1000) : format.shortTime(split * 1000);
}

function line(series: TimeSeries): UPlot.Series {
  const color = toneColor(series.tone);
  return {
    label: series.label,
    stroke: color,
    width: 1.6,
    ...(series.filled ? { fill: `color-mix(in srgb, ${color} 12%, transparent)` } : {}),
    points: { show: false },
  };
}

/** The top of the y axis: some air above the highest value, and never a flat zero. */
function niceTop(max: number): number {
  return max > 0 ? max * 1.15 : 10;
}
