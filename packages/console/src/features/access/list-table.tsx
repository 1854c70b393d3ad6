import { ActionIcon, Tooltip } from '@mantine/core';
import type { AddressListAnswer } from '@portcullis/contract/access';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../components/badge.tsx';
import { useConfirm } from '../../components/confirm.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { formatCount } from '../../lib/format/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { addressCount, sitesQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import classes from './access.module.css';
import { useDeleteList } from './access-queries.ts';

const words = messages.access;

/** The lists, with what each one does where. */
export function ListTable(props: {
  lists: readonly AddressListAnswer[];
  onEdit: (list: AddressListAnswer) => void;
}) {
  const columns: Column<AddressListAnswer>[] = [
    { key: 'name', header: words.columns.name, primary: true, cell: (list) => list.name },
    { key: 'action', header: words.columns.action, cell: (list) => <Action list={list} /> },
    { key: 'site', header: words.columns.site, cell: (list) => <Where siteId={list.siteId} /> },
    {
      key: 'entries',
      header: words.columns.entries,
      align: 'end',
      cell: (list) => <Addresses list={list} />,
    },
    { key: 'state', header: words.columns.state, cell: (list) => (list.enabled ? words.on : words.off) },
    {
      key: 'acts',
      header: words.columns.acts,
      align: 'end',
      quiet: true,
      corner: true,
      cell: (list) => <Acts list={list} onEdit={props.onEdit} />,
    },
  ];
  return (
    <DataTable
      label={words.title}
      columns={columns}
      rows={props.lists}
      rowKey={(list) => list.id}
      dimmed={(list) => !list.enabled}
    />
  );
}

function Action(props: { list: AddressListAnswer }) {
  const { action } = props.list;
  return <Badge tone={action === 'block' ? 'danger' : 'ok'}>{words.actions[action]}</Badge>;
}

/** How many there are, and when the first of those that end does. */
function Addresses({ list }: { list: AddressListAnswer }) {
  const ends = list.temporary.map(({ expires_at }) => expires_at).sort();
  const [first] = ends;
  return (
    <>
      {formatCount(addressCount(list))}
      {first === undefined ? null : (
        <div className={classes.ends}>
          {words.ends(ends.length)} <Moment at={first} />
        </div>
      )}
    </>
  );
}

function Where(props: { siteId: string | undefined }) {
  const { siteId } = props;
  const mayView = usePermission('site:view');
  const sites = useQuery({ ...sitesQuery, enabled: siteId !== undefined && mayView });
  if (siteId === undefined) return words.everySite;
  if (!sites.data) return words.oneSite;
  return sites.data.find((site) => site.id === siteId)?.name ?? words.unknownSite;
}

function Acts(props: { list: AddressListAnswer; onEdit: (list: AddressListAnswer) => void }) {
  const { list, onEdit } = props;
  const confirm = useConfirm();
  const remove = useDeleteList();
  const ask = async () => {
    const agreed = await confirm({
      title: words.removeTitle(list.name),
      text: words.removeText(formatCount(addressCount(list))),
      confirm: words.remove,
      destructive: true,
    });
    if (agreed) remove.mutate(list.id);
  };
  return (
    <div className={classes.acts}>
      <Allowed anyOf={['rule:update']}>
        <Tooltip label={words.edit}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.editOf(list.name)}
            onClick={() => onEdit(list)}
          >
            <IconPencil size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Allowed>
      <Allowed anyOf={['rule:delete']}>
        <Tooltip label={words.remove}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.removeOf(list.name)}
            disabled={remove.isPending}
            onClick={() => void ask()}
          >
            <IconTrash size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Allowed>
    </div>
  );
}
