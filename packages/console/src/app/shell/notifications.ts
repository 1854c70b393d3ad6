import type { AuditEntry } from '@portcullis/contract/events';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { parseTime } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { auditQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';

/** An entry of the panel, derived from a log entry. */
export interface Notification {
  id: string;
  type: 'error' | 'warning' | 'info' | 'success';
  title: string;
  message: string;
  timestamp: string;
  read: boolean;
  siteId: string | undefined;
  /** leads to the event itself */
  requestId: string | undefined;
}

const readUntilKey = 'notificationsReadUntil';
const fetchLimit = 10;
const refreshMs = 30_000;

/**
 * The newest warnings and errors. A failed fetch gives an empty list, as spec.md says.
 * @returns the list, whether it is still loading, how many are unread, and how to mark all read
 */
export function useNotifications() {
  const allowed = usePermission('audit:view');
  const [readUntil, setReadUntil] = useState(() => Number(localStorage.getItem(readUntilKey) ?? 0));
  const query = useQuery({
    ...auditQuery({ limit: fetchLimit, level: 'error,warning,critical' }),
    enabled: allowed,
    refetchInterval: refreshMs,
  });
  const list = (query.data ?? []).slice(0, fetchLimit).map((entry) => toNotification(entry, readUntil));
  const markRead = useCallback(() => {
    const now = Date.now();
    localStorage.setItem(readUntilKey, String(now));
    setReadUntil(now);
  }, []);
  return {
    list,
    loading: allowed && query.isPending,
    unread: list.filter((entry) => !entry.read).length,
    markRead,
  };
}

function toNotification(entry: AuditEntry, readUntil: number): Notification {
  return {
    id: entry.id,
    type: typeOfLevel(entry.level),
    title: titleOf(entry),
    message: entry.message,
    timestamp: entry.timestamp,
    read: (parseTime(entry.timestamp)?.getTime() ?? 0) <= readUntil,
    siteId: entry.siteId,
    requestId: entry.requestId,
  };
}

/** @returns the site, else the threat, else what an action such as `auth.login_failed` is about, never its bare code */
export function titleOf({ siteName, threat, action }: AuditEntry): string {
  const about = siteName ?? threat;
  if (about !== undefined) return about;
  const [noun = ''] = String(action ?? '').split('.');
  const topics: Readonly<Record<string, string>> = messages.shell.notificationTopics;
  return topics[noun] ?? action ?? '';
}

function typeOfLevel(level: string): Notification['type'] {
  if (level === 'critical') return 'error';
  return level === 'warning' ? 'warning' : 'info';
}
