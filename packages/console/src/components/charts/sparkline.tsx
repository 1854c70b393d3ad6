import type { SeriesTone } from './plot.tsx';
import { areaPath, linear, linePath } from './plot-scale.ts';
import classes from './time-chart.module.css';

const width = 96;
const height = 28;

/** The course of a figure in a line, from zero, for the eye alone: what it shows stands in figures elsewhere. */
export function Sparkline(props: { values: readonly number[]; tone: SeriesTone }) {
  const { values } = props;
  const x = linear(0, values.length - 1, 1, width - 1);
  const y = linear(0, Math.max(1, ...values), height - 1, 2);
  const xs = values.map((_, index) => x(index));
  const path = linePath(xs, values, y);
  return (
    <svg className={classes.chart} width={width} height={height} aria-hidden>
      <g data-tone={props.tone}>
        <path d={areaPath(path, xs, height - 1)} className={classes.area} />
        <path d={path} className={classes.spark} />
      </g>
    </svg>
  );
}
