import { Button } from '@mantine/core';
import type { Session } from '@portcullis/contract/auth';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { useConfirm } from '../../components/confirm.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { RelativeTime } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState, Stale } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { sessionsQuery, useRevokeOtherSessions, useRevokeSession } from './account-queries.ts';
import { AccountState } from './account-state.tsx';
import { ProfileFrame } from './profile-frame.tsx';
import classes from './sessions-screen.module.css';

const words = messages.profile.sessions;
const refreshMs = 30_000;

/** Where the own account is signed in, and how to end it. */
export function SessionsScreen() {
  const sessions = useQuery({ ...sessionsQuery, refetchInterval: refreshMs });
  const columns = useColumns();
  return (
    <ProfileFrame title={words.title} purpose={words.subtitle}>
      <AccountState title={words.title} query={sessions} failed={words.failed} loading={words.loading}>
        {(list) => (
          <Panel
            title={words.title}
            flush
            actions={<RevokeOthers count={list.filter((session) => !session.current).length} />}
          >
            <Stale since={sessions.isError ? sessions.dataUpdatedAt : undefined}>
              {list.length === 0 ? (
                <EmptyState title={words.empty} />
              ) : (
                <DataTable
                  label={words.title}
                  columns={columns}
                  rows={list}
                  rowKey={(session) => session.id}
                />
              )}
            </Stale>
          </Panel>
        )}
      </AccountState>
    </ProfileFrame>
  );
}

function useColumns(): Column<Session>[] {
  return [
    {
      key: 'device',
      header: words.columns.device,
      primary: true,
      cell: (session) => (
        <span className={classes.device}>
          {session.device}
          {session.current ? <Badge tone="ok">{words.current}</Badge> : null}
        </span>
      ),
    },
    { key: 'ip', header: words.columns.ip, cell: (session) => <Mono max={39}>{session.ip}</Mono> },
    {
      key: 'seen',
      header: words.columns.lastSeen,
      cell: (session) => <RelativeTime at={session.last_seen} />,
    },
    {
      key: 'created',
      header: words.columns.created,
      cell: (session) => <RelativeTime at={session.created_at} />,
    },
    {
      key: 'acts',
      header: words.columns.actions,
      align: 'end',
      quiet: true,
      corner: true,
      cell: (session) => (session.current ? null : <Revoke session={session} />),
    },
  ];
}

function Revoke(props: { session: Session }) {
  const { id, device, ip } = props.session;
  const revoke = useRevokeSession();
  const confirm = useConfirm();
  const ask = async () => {
    const agreed = await confirm({
      title: words.revokeTitle,
      text: words.revokeText(device, ip),
      confirm: words.revoke,
      destructive: true,
    });
    if (agreed) revoke.mutate(id);
  };
  return (
    <Button
      variant="default"
      size="compact-xs"
      aria-label={words.revokeOf(device, ip)}
      disabled={revoke.isPending}
      onClick={() => void ask()}
    >
      {words.revoke}
    </Button>
  );
}

function RevokeOthers(props: { count: number }) {
  const revoke = useRevokeOtherSessions();
  const confirm = useConfirm();
  const ask = async () => {
    const agreed = await confirm({
      title: words.revokeOthersTitle,
      text: words.revokeOthersText(props.count),
      confirm: words.revokeOthers,
      destructive: true,
    });
    if (agreed) revoke.mutate();
  };
  return (
    <Button
      variant="default"
      size="xs"
      disabled={props.count === 0 || revoke.isPending}
      onClick={() => void ask()}
    >
      {words.revokeOthers}
    </Button>
  );
}
