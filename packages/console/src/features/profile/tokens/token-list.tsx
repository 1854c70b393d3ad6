import { Button } from '@mantine/core';
import type { ApiToken } from '@portcullis/contract/auth';
import { Badge } from '../../../components/badge.tsx';
import { useConfirm } from '../../../components/confirm.tsx';
import type { Column } from '../../../components/data-table.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Moment, RelativeTime } from '../../../components/moment.tsx';
import { Mono } from '../../../components/mono.tsx';
import { useNow } from '../../../lib/format/index.ts';
import { messages } from '../../../lib/messages/index.ts';
import { useRevokeToken } from './token-queries.ts';
import classes from './tokens.module.css';

const words = messages.profile.tokens;

const columns: Column<ApiToken>[] = [
  { key: 'name', header: words.columns.name, primary: true, cell: (token) => <Name token={token} /> },
  {
    key: 'permissions',
    header: words.columns.permissions,
    cell: ({ permissions }) => (
      <span title={permissions.join(', ')}>{words.permissionCount(permissions.length)}</span>
    ),
  },
  {
    key: 'used',
    header: words.columns.lastUsed,
    cell: (token) => (token.last_used ? <RelativeTime at={token.last_used} /> : words.never),
  },
  { key: 'expires', header: words.columns.expires, cell: (token) => <Expiry token={token} /> },
  {
    key: 'acts',
    header: words.columns.actions,
    align: 'end',
    quiet: true,
    corner: true,
    cell: (token) => <Revoke token={token} />,
  },
];

/** The own API tokens. */
export function TokenList(props: { tokens: readonly ApiToken[] }) {
  return <DataTable label={words.title} columns={columns} rows={props.tokens} rowKey={(token) => token.id} />;
}

function Name(props: { token: ApiToken }) {
  return (
    <span className={classes.name}>
      {props.token.name}
      <Mono dim>{`${props.token.prefix}…`}</Mono>
    </span>
  );
}

function Expiry(props: { token: ApiToken }) {
  const now = useNow();
  const { expires_at: expires } = props.token;
  if (expires === null) return words.never;
  if (Date.parse(expires) <= now) return <Badge tone="warning">{words.expired}</Badge>;
  return <Moment at={expires} part="date" />;
}

function Revoke(props: { token: ApiToken }) {
  const { id, name } = props.token;
  const revoke = useRevokeToken();
  const confirm = useConfirm();
  const ask = async () => {
    const agreed = await confirm({
      title: words.revokeTitle(name),
      text: words.revokeText,
      confirm: words.revoke,
      destructive: true,
    });
    if (agreed) revoke.mutate(id);
  };
  return (
    <Button
      variant="default"
      size="compact-xs"
      aria-label={words.revokeOf(name)}
      disabled={revoke.isPending}
      onClick={() => void ask()}
    >
      {words.revoke}
    </Button>
  );
}
