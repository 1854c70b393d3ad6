import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { typedText, visibleText } from '@portcullis/contract/events';
import type { InspectionException, Site } from '@portcullis/contract/sites';
import { IconPencil, IconPlus, IconShieldCheck, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { useConfirm } from '../../components/confirm.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Mono } from '../../components/mono.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState } from '../../components/states.tsx';
import { toast } from '../../components/toast.ts';
import { errorText } from '../../lib/api/index.ts';
import { useNow } from '../../lib/format/index.ts';
import { categoryLabel } from '../../lib/messages/categories.ts';
import { messages } from '../../lib/messages/index.ts';
import { changeExceptions, coversSame, sitesQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { ExceptionForm } from './exception-form.tsx';
import classes from './exceptions-panel.module.css';

const words = messages.protection.exceptions;

/** What the operators judged harmless on this site: adding to it, changing it, taking it back. */
export function ExceptionsPanel(props: { site: Site }) {
  const { exceptions, id } = props.site;
  const remove = useRemove(id);
  const mayEdit = usePermission('site:update');
  const [form, setForm] = useState<{ opened: boolean; exception: InspectionException | undefined }>({
    opened: false,
    exception: undefined,
  });
  const edit = (exception: InspectionException | undefined) => setForm({ opened: true, exception });
  const add = mayEdit ? (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={15} aria-hidden />}
      onClick={() => edit(undefined)}
    >
      {words.add}
    </Button>
  ) : null;
  return (
    <Panel title={words.title} note={exceptions.length > 0 ? words.note : undefined} flush actions={add}>
      {exceptions.length === 0 ? (
        <EmptyState icon={IconShieldCheck} title={words.none} text={words.noneText} />
      ) : (
        <DataTable
          label={words.title}
          columns={mayEdit ? [...columns, acts(remove, edit)] : columns}
          rows={exceptions}
          rowKey={(one) => JSON.stringify(one)}
        />
      )}
      <ExceptionForm siteId={id} {...form} onClose={() => setForm((last) => ({ ...last, opened: false }))} />
    </Panel>
  );
}

/** What the exception is about: `Rule sqli-union in “id”`. */
function subject(one: InspectionException): string {
  const all = one.category ? words.allRulesOf(categoryLabel(one.category)) : '';
  const what = one.rule_id === undefined ? all : words.ruleOf(one.rule_id);
  return one.parameter === undefined ? what : words.inParameter(what, visibleText(typedText(one.parameter)));
}

const columns: Column<InspectionException>[] = [
  {
    key: 'what',
    header: words.columns.what,
    primary: true,
    cell: (one) => (
      <>
        {subject(one)}
        {one.note ? <div className={classes.note}>{one.note}</div> : null}
      </>
    ),
  },
  {
    key: 'where',
    header: words.columns.where,
    cell: (one) => (
      <Mono max={44}>{[one.method, one.path ?? words.everywhere].filter(Boolean).join(' ')}</Mono>
    ),
  },
  { key: 'until', header: words.columns.until, cell: (one) => <Until at={one.expires_at} /> },
];

function Until(props: { at: string | undefined }) {
  const now = useNow();
  if (props.at === undefined) return words.noEnd;
  if (Date.parse(props.at) <= now) return <Badge tone="neutral">{words.expired}</Badge>;
  return <Moment at={props.at} />;
}

function acts(
  remove: ReturnType<typeof useRemove>,
  edit: (one: InspectionException) => void,
): Column<InspectionException> {
  return {
    key: 'acts',
    header: words.columns.acts,
    align: 'end',
    quiet: true,
    corner: true,
    cell: (one) => (
      <div className={classes.acts}>
        <Tooltip label={words.edit}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={words.editOf(subject(one))}
            onClick={() => edit(one)}
          >
            <IconPencil size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Remove one={one} remove={remove} />
      </div>
    ),
  };
}

function Remove(props: { one: InspectionException; remove: ReturnType<typeof useRemove> }) {
  const { one, remove } = props;
  const confirm = useConfirm();
  const what = subject(one);
  const ask = async () => {
    const agreed = await confirm({
      title: words.removeTitle(what),
      text: words.removeText,
      confirm: words.remove,
      destructive: true,
    });
    if (agreed) remove.mutate(one);
  };
  return (
    <Tooltip label={words.remove}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={words.removeOf(what)}
        disabled={remove.isPending}
        onClick={() => void ask()}
      >
        <IconTrash size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function useRemove(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (one: InspectionException) =>
      changeExceptions(siteId, (stored) => stored.filter((other) => !coversSame(one, other))),
    onSuccess: () => toast.success(words.wasRemoved),
    onError: (error) => toast.error(errorText(error, words.removeFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: sitesQuery.queryKey }),
  });
}
