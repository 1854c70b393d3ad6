import classes from './resource-bar.module.css';

const warnPercent = 75;
const alarmPercent = 90;

/** A filled bar for a share of something: yellow above 75 %, red above 90 %. The figure stands beside it. */
export function ResourceBar(props: { percent: number; label: string }) {
  const { percent } = props;
  const level = percent > alarmPercent ? 'alarm' : percent > warnPercent ? 'warn' : 'fine';
  return (
    <div className={classes.bar} data-level={level}>
      <meter className="visually-hidden" aria-label={props.label} min={0} max={100} value={percent} />
      <div className={classes.fill} style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
    </div>
  );
}
