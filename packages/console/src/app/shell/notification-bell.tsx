import { ActionIcon, Button, Loader, Popover, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBell,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
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
  const [open, setOpen] = useState(false);
  const { list, loading, unread, markRead } = useNotifications();
  const label = unread > 0 ? words.notificationsUnread(unread) : words.notifications;
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={360}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Tooltip label={words.notifications} disabled={open}>
          <ActionIcon
            className={classes.bell}
            variant="subtle"
            color="gray"
            size={36}
            aria-label={label}
            onClick={() => setOpen(!open)}
          >
            <IconBell size={18} stroke={1.6} />
            {unread > 0 ? <span className={classes.dot} /> : null}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label={words.notifications}>
        <div className={classes.head}>
          <h2 className={classes.title}>{words.notifications}</h2>
          {unread > 0 ? (
            <Button variant="subtle" size="compact-xs" onClick={markRead}>
              {words.markRead}
            </Button>
          ) : null}
        </div>
        <List list={list} loading={loading} />
        <Link
          to="/logs"
          search={{ level: 'warning,error' }}
          className={classes.all}
          onClick={() => setOpen(false)}
        >
          {words.viewAll}
        </Link>
      </Popover.Dropdown>
    </Popover>
  );
}

function List(props: { list: Notification[]; loading: boolean }) {
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
        <Item key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}

function Item(props: { entry: Notification }) {
  const now = useNow();
  const format = useTimeFormat();
  const { type, title, message, timestamp, read } = props.entry;
  const Icon = icons[type];
  const date = parseTime(timestamp);
  return (
    <li className={classes.item} data-type={type} data-unread={!read || undefined}>
      <Icon size={18} stroke={1.6} role="img" aria-label={words.notificationTypes[type]} />
      <div className={classes.text}>
        <div className={classes.itemTitle}>{title}</div>
        <div className={classes.message}>{message}</div>
        <time className={classes.age} dateTime={timestamp} title={format.dateTime(timestamp)}>
          {date ? formatAgeInWords(date, now) : timestamp}
        </time>
      </div>
    </li>
  );
}
