import { Button, Skeleton } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useConfirm } from '../../components/confirm.tsx';
import { fieldErrorsOf } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { ErrorState } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { SiteFields } from './site-fields.tsx';
import { siteQuery, useDeleteSite, useSaveSite } from './site-queries.ts';
import type { SiteForm, SiteValues } from './site-values.ts';
import { newSiteValues, siteProblems, storedSiteValues } from './site-values.ts';

const words = messages.sites;

/** Adds a site, or edits the one with `siteId`. Whatever the form does not show keeps its value. */
export function SiteFormModal(props: {
  opened: boolean;
  siteId: string | undefined;
  /** the one to begin at, as its key in the form says; absent: the first */
  section?: string | undefined;
  onClose: () => void;
}) {
  const { opened, siteId } = props;
  const stored = useQuery({ ...siteQuery(siteId ?? ''), enabled: opened && siteId !== undefined });
  const form = useForm<SiteValues>({ initialValues: newSiteValues(), validate: siteProblems });
  const [shown, setShown] = useState<string>();
  const save = useSaveSite(props.onClose, (error) => form.setErrors(fieldErrorsOf(error)));
  const wanted = opened ? (siteId ?? 'new') : undefined;
  const values = siteId === undefined ? undefined : stored.data;

  useEffect(() => {
    if (wanted === shown) return;
    if (wanted !== undefined && wanted !== 'new' && !values) return;
    setShown(wanted);
    if (wanted === undefined) return;
    const start = values ? storedSiteValues(values) : newSiteValues();
    // Not setValues, which keeps what the last one had and this one has not: its id and version.
    form.setInitialValues(start);
    form.reset();
  }, [wanted, shown, values, form]);

  const ready = wanted !== undefined && shown === wanted;
  return (
    <FormModal
      opened={opened}
      title={siteId === undefined ? words.addTitle : words.editTitle}
      submit={siteId === undefined ? words.create : words.update}
      busyLabel={words.saving}
      busy={save.isPending}
      dirty={ready && form.isDirty()}
      submitDisabled={!ready}
      size={840}
      onClose={props.onClose}
      onSubmit={() =>
        form.onSubmit(
          (sent) => save.mutate(sent),
          (errors) => focusFirst(form, errors),
        )()
      }
      aside={
        ready && siteId !== undefined ? <DeleteSite site={form.values} onDeleted={props.onClose} /> : null
      }
    >
      {ready ? (
        <SiteFields form={form} section={props.section} />
      ) : stored.isError ? (
        <ErrorState title={words.loadFailed} onRetry={() => void stored.refetch()} busy={stored.isFetching} />
      ) : (
        <Skeleton height={360} />
      )}
    </FormModal>
  );
}

function focusFirst(form: SiteForm, errors: Record<string, unknown>): void {
  const [first] = Object.keys(errors);
  if (first !== undefined) form.getInputNode(first)?.focus();
}

function DeleteSite(props: { site: SiteValues; onDeleted: () => void }) {
  const confirm = useConfirm();
  const remove = useDeleteSite(props.onDeleted);
  const ask = async () => {
    const { id, name, domains } = props.site;
    const agreed = await confirm({
      title: words.deleteTitle(name),
      text: words.deleteText(domains.join(', ')),
      confirm: words.deleteSite,
      destructive: true,
    });
    if (agreed && id !== undefined) remove.mutate(id);
  };
  return (
    <Allowed anyOf={['site:delete']}>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} />}
        disabled={remove.isPending}
        onClick={() => void ask()}
      >
        {words.deleteSite}
      </Button>
    </Allowed>
  );
}
