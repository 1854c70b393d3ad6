import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTimeFormat } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import type { TimeSeries } from './plot.tsx';
import { Plot } from './plot.tsx';
import type { Frame } from './plot-scale.ts';
import { linear } from './plot-scale.ts';
import classes from './time-chart.module.css';
import { stretchOf, useBrush } from './use-brush.ts';

interface Props {
  /** Unix seconds, ascending, one for each value */
  times: readonly number[];
  series: readonly TimeSeries[];
  /** the whole chart in a sentence, for who cannot see it */
  description: string;
  height?: number;
  /** the top of the y axis where it is fixed, 100 for percentages; else a little above the highest value */
  max?: number;
  /** stands behind each figure of the y axis, such as `%` */
  unit?: string;
  formatValue: (value: number) => string;
  /** the values of the last moment stand beside the names while nobody points; else the names alone (default true) */
  reading?: boolean;
  /** a stretch was chosen, by drag or by keyboard; indexes of its first and last moment */
  onStretch?: (first: number, last: number) => void;
}

const words = messages.common.chart;
const labelRoom = 52;

/**
 * Lines over time: from zero, faint horizontal grid, a crosshair that reads all values by pointer and by arrow keys,
 * and a stretch to choose. Drawn as SVG, whose colours follow the theme by themselves; a chart here has some dozens
 * of points, never thousands.
 */
export function TimeChart(props: Props) {
  const { times, onStretch } = props;
  const height = props.height ?? 220;
  const { holder, width } = useWidth();
  const frame: Frame = { left: labelRoom, right: width - 4, top: 8, bottom: height - 24 };
  const xs = useMemo(() => {
    const x = linear(times[0] ?? 0, times.at(-1) ?? 0, labelRoom, width - 4);
    return times.map(x);
  }, [times, width]);
  const { brush, handlers } = useBrush(xs, onStretch);
  const stretch = stretchOf(brush);
  // Fewer moments than before may have come meanwhile.
  const index = brush.at !== undefined && brush.at < times.length ? brush.at : undefined;
  const shown = index ?? times.length - 1;
  const keys = useId();
  return (
    <figure className={classes.chart}>
      <Readout {...props} index={index ?? ((props.reading ?? true) ? times.length - 1 : -1)} />
      <div
        ref={holder}
        className={classes.field}
        data-brush={onStretch ? true : undefined}
        style={{ height }}
        role="slider"
        tabIndex={0}
        aria-label={props.description}
        aria-describedby={keys}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={Math.max(0, shown)}
        aria-valuetext={useSpoken(props, shown, stretch)}
        {...handlers}
      >
        {width > 0 ? (
          <Plot
            {...props}
            frame={frame}
            xs={xs}
            index={index}
            stretch={stretch}
            width={width}
            height={height}
          />
        ) : null}
      </div>
      <span id={keys} className="visually-hidden">
        {onStretch ? words.brushKeys : words.keys}
      </span>
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

/** A moment and its values, or the ends of the stretch, as a screen reader says them. */
function useSpoken(props: Props, index: number, stretch: readonly [number, number] | undefined): string {
  const format = useTimeFormat();
  const { times } = props;
  const timeOf = (at: number) => format.dateTime((times[at] ?? 0) * 1000);
  if (times.length === 0) return words.nothing;
  if (stretch) return words.chosen(timeOf(stretch[0]), timeOf(stretch[1]));
  const values = props.series.map(({ label, values }) => `${label} ${writtenOf(values[index], props)}`);
  return `${timeOf(index)}: ${values.join(', ')}`;
}

const writtenOf = (value: number | null | undefined, { formatValue }: Props): string =>
  value === null || value === undefined ? '–' : formatValue(value);

/** Names and values: of the moment under the crosshair, else of the last one. */
function Readout(props: Props & { index: number }) {
  const format = useTimeFormat();
  const time = props.times[props.index];
  return (
    <figcaption className={classes.readout} aria-hidden>
      {props.series.map((line) => (
        <span key={line.label} className={classes.key} data-tone={line.tone}>
          {line.label}
          {props.index < 0 ? null : <strong>{writtenOf(line.values[props.index], props)}</strong>}
        </span>
      ))}
      {time === undefined ? null : <span className={classes.at}>{format.dateTime(time * 1000)}</span>}
    </figcaption>
  );
}
