import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconUrgent } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { RelativeTime } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, SkeletonRows } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import classes from './alert-list.module.css';
import type { Alert } from './alerts.ts';
import { splitMessage } from './alerts.ts';

const words = messages.monitoring;
const tones = { critical: 'danger', warning: 'warning', info: 'info' } as const;
const icons = { critical: IconUrgent, warning: IconAlertTriangle, info: IconInfoCircle } as const;

/** What needs attention now, with the time since which it does. */
export function AlertList(props: { alerts: Alert[]; loading: boolean }) {
  const since = useFirstSeen(props.alerts);
  return (
    <Panel title={words.alerts} flush>
      {props.loading ? (
        <SkeletonRows rows={3} label={messages.common.loading} />
      ) : props.alerts.length === 0 ? (
        <EmptyState icon={IconCircleCheck} title={words.noAlerts} text={words.noAlertsText} />
      ) : (
        <ul className={classes.list}>
          {props.alerts.map((alert) => (
            <Item key={alert.id} alert={alert} since={alert.since ?? since.get(alert.id)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Item(props: { alert: Alert; since: number | undefined }) {
  const { type, message, status, siteId } = props.alert;
  const Icon = icons[type];
  const { title, rest } = splitMessage(message);
  return (
    <li className={classes.item} data-type={type} data-dimmed={status !== 'active' || undefined}>
      <Icon size={18} stroke={1.7} role="img" aria-label={words.alertTypes[type]} />
      <div className={classes.words}>
        <div className={classes.title}>
          {siteId === undefined ? (
            title
          ) : (
            <Link to="/sites" search={{ site: siteId }} className={classes.site}>
              {title}
            </Link>
          )}
        </div>
        <div className={classes.note}>
          {rest ? `${rest} · ` : ''}
          {props.since === undefined ? null : <RelativeTime at={props.since} />}
        </div>
      </div>
      <Badge tone={status === 'active' ? tones[type] : 'neutral'} icon={false}>
        {words.alertStatuses[status] ?? status}
      </Badge>
    </li>
  );
}

/** @returns when each alert was first seen, Unix milliseconds; one that went and came again starts anew */
function useFirstSeen(alerts: Alert[]): ReadonlyMap<string, number> {
  const [seen, setSeen] = useState<ReadonlyMap<string, number>>(new Map());
  const ids = alerts.map((alert) => alert.id).join('|');
  useEffect(() => {
    const present = ids === '' ? [] : ids.split('|');
    setSeen((before) => new Map(present.map((id) => [id, before.get(id) ?? Date.now()])));
  }, [ids]);
  return seen;
}
