import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconInbox, IconLock } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { formatAge, useNow } from '../lib/format/index.ts';
import { messages } from '../lib/messages/index.ts';
import classes from './states.module.css';

type IconType = ComponentType<{ size?: number; stroke?: number }>;

interface EmptyStateProps {
  title: string;
  text?: string;
  icon?: IconType;
  action?: ReactNode;
  /** it is all that the page shows, so its title is the page's heading */
  wholePage?: boolean;
}

/** Nothing here yet: what would be here, and the first step. */
export function EmptyState(props: EmptyStateProps) {
  const Icon = props.icon ?? IconInbox;
  const Title = props.wholePage ? 'h1' : 'p';
  return (
    <div className={classes.state}>
      <span className={classes.icon} aria-hidden>
        <Icon size={22} stroke={1.5} />
      </span>
      <Title className={classes.title}>{props.title}</Title>
      {props.text ? <p className={classes.text}>{props.text}</p> : null}
      {props.action}
    </div>
  );
}

/** Something could not be loaded: what, what to do, and Retry. */
export function ErrorState(props: { title: string; text?: string; onRetry?: () => void; busy?: boolean }) {
  return (
    <div className={classes.state} role="alert">
      <span className={classes.icon} data-tone="danger" aria-hidden>
        <IconAlertTriangle size={22} stroke={1.5} />
      </span>
      <p className={classes.title}>{props.title}</p>
      {props.text ? <p className={classes.text}>{props.text}</p> : null}
      {props.onRetry ? (
        <Button variant="default" size="xs" loading={props.busy ?? false} onClick={props.onRetry}>
          {messages.common.retry}
        </Button>
      ) : null}
    </div>
  );
}

/** The page or part needs a permission that the user lacks; says which. */
export function RestrictedState(props: { missing?: string | undefined }) {
  return (
    <div className={classes.state}>
      <span className={classes.icon} aria-hidden>
        <IconLock size={22} stroke={1.5} />
      </span>
      <h1 className={classes.title}>{messages.common.accessRestricted}</h1>
      <p className={classes.text}>{messages.common.accessRestrictedText}</p>
      {props.missing ? (
        <p className={classes.text}>{messages.common.missingPermission(props.missing)}</p>
      ) : null}
    </div>
  );
}

/** A line above content that says something is wrong with it, with Retry where a repeat can help. */
export function Banner(props: {
  tone: 'warning' | 'danger';
  children: ReactNode;
  /** when what is shown was fetched, Unix milliseconds */
  since?: number;
  onRetry?: () => void;
  busy?: boolean;
}) {
  const now = useNow();
  const { since } = props;
  return (
    <div className={classes.banner} data-tone={props.tone} role="alert">
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      <span className={classes.bannerText}>
        {props.children}
        {since === undefined ? null : ` · ${messages.common.dataFrom(formatAge(new Date(since), now))}`}
      </span>
      {props.onRetry ? (
        <Button variant="default" size="compact-xs" loading={props.busy ?? false} onClick={props.onRetry}>
          {messages.common.retry}
        </Button>
      ) : null}
    </div>
  );
}

/** Old data, dimmed and with its age; transparent while the data is good. */
export function Stale(props: { since: number | undefined; children: ReactNode }) {
  const now = useNow();
  if (props.since === undefined) return props.children;
  return (
    <div>
      <div className={classes.dimmed}>{props.children}</div>
      <p className={classes.age}>{messages.common.dataFrom(formatAge(new Date(props.since), now))}</p>
    </div>
  );
}

/** Rows in the shape of a list that is on its way. */
export function SkeletonRows(props: { rows: number; label: string }) {
  return (
    <div className={classes.rows} role="status" aria-label={props.label}>
      {Array.from({ length: props.rows }, (_, row) => row).map((row) => (
        <Skeleton key={row} height={16} width={`${92 - (row % 3) * 14}%`} />
      ))}
    </div>
  );
}
