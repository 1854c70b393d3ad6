import { ActionIcon, Button, Loader } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBell,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useRef } from 'react';
import type { FlyoutHandle } from '../../components/flyout.tsx';
import { Flyout } from '../../components/flyout.tsx';
import { Hint } from '../../components/hint.tsx';
import { formatAgeInWords, parseTime, useNow, useTimeFormat } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import classes from './notification-bell.module.css';
import type { Notification } from './notifications.ts';
import { useNotifications } from './notifications.ts';

const words = messages.shell;
const icons = {
  error: IconCircleX,
  warning: IconAlertTriangle,
  success: IconCircleCheck,
  info: IconInfoCircle,
} as const;

/** The bell with its red dot while something is unread, and the panel it opens. */
export function NotificationBell() {
  const id = useId();
  const flyout = useRef<FlyoutHandle>(null);
  const notifications = useNotifications();
  const { unread } = notifications;
  return (
    <>
      <Hint label={words.notifications}>
        <ActionIcon
          className={classes.bell}
          variant="subtle"
          color="gray"
          size={36}
          aria-label={unread > 0 ? words.notificationsUnread(unread) : words.notifications}
          popoverTarget={id}
        >
          <IconBell size={18} stroke={1.6} />
          {unread > 0 ? <span className={classes.dot} /> : null}
        </ActionIcon>
      </Hint>
      <Flyout id={id} ref={flyout} label={words.notifications}>
        <Panel notifications={notifications} onLeave={() => flyout.current?.close()} />
      </Flyout>
    </>
  );
}

function Panel(props: { notifications: ReturnType<typeof useNotifications>; onLeave: () => void }) {
  const { list, loading, unread, markRead } = props.notifications;
  return (
    <div className={classes.panel}>
      <div className={classes.head}>
        <h2 className={classes.title}>{words.notifications}</h2>
        {unread > 0 ? (
          <Button variant="subtle" size="compact-xs" onClick={markRead}>
            {words.markRead}
          </Button>
        ) : null}
      </div>
      <List list={list} loading={loading} onLeave={props.onLeave} />
      <Link to="/logs" search={{ level: 'warning,error' }} className={classes.all} onClick={props.onLeave}>
        {words.viewAll}
      </Link>
    </div>
  );
}

function List(props: { list: Notification[]; loading: boolean; onLeave: () => void }) {
  if (props.loading) {
    return (
      <div className={classes.empty}>
        <Loader size="sm" aria-label={words.loadingNotifications} />
      </div>
    );
  }
  if (props.list.length === 0) return <p className={classes.empty}>{words.noNotifications}</p>;
  return (
    <ul className={classes.list}>
      {props.list.map((entry) => (
        <Item key={entry.id} entry={entry} onLeave={props.onLeave} />
      ))}
    </ul>
  );
}

function Item(props: { entry: Notification; onLeave: () => void }) {
  const now = useNow();
  const format = useTimeFormat();
  const { type, title, message, timestamp, read, requestId } = props.entry;
  const Icon = icons[type];
  const date = parseTime(timestamp);
  return (
    <li>
      <Link
        to="/logs"
        search={requestId ? { view: 'history', q: requestId } : { level: 'warning,error' }}
        className={classes.item}
        data-type={type}
        data-unread={!read || undefined}
        onClick={props.onLeave}
      >
        <Icon size={18} stroke={1.6} role="img" aria-label={words.notificationTypes[type]} />
        <div className={classes.text}>
          <div className={classes.itemTitle}>{title}</div>
          <div className={classes.message}>{message}</div>
          <time className={classes.age} dateTime={timestamp} title={format.dateTime(timestamp)}>
            {date ? formatAgeInWords(date, now) : timestamp}
          </time>
        </div>
      </Link>
    </li>
  );
}
