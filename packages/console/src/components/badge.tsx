import {
  IconAlertTriangle,
  IconBolt,
  IconCircleCheck,
  IconInfoCircle,
  IconShieldX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './badge.module.css';

/** What a state means; each tone has its icon, so that colour is never the only sign. */
export type Tone = 'danger' | 'warning' | 'ok' | 'info' | 'accent' | 'neutral';

const icons = {
  danger: IconShieldX,
  warning: IconAlertTriangle,
  ok: IconCircleCheck,
  info: IconInfoCircle,
  accent: IconBolt,
  neutral: undefined,
} as const;

/** The one badge: a short word for a state. `icon={false}` where the word stands in a list of equals. */
export function Badge(props: { tone: Tone; children: ReactNode; icon?: boolean; title?: string }) {
  const Icon = props.icon === false ? undefined : icons[props.tone];
  return (
    <span className={classes.badge} data-tone={props.tone} title={props.title}>
      {Icon ? <Icon size={13} stroke={2} aria-hidden /> : null}
      <span className={classes.word}>{props.children}</span>
    </span>
  );
}
