import { Button, Skeleton } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Checkbox } from '../../components/choices.tsx';
import { useConfirm } from '../../components/confirm.tsx';
import { fieldErrorsOf } from '../../components/form-errors.ts';
import { FormModal } from '../../components/form-modal.tsx';
import { Allowed } from '../../components/permission-gate.tsx';
import { ErrorState } from '../../components/states.tsx';
import { messages } from '../../lib/messages/index.ts';
import { generalQuery } from '../../lib/queries/index.ts';
import { usePermission } from '../../lib/session/index.ts';
import { SiteFields } from './site-fields.tsx';
import { siteQuery, useDeleteSite, useSaveSite } from './site-queries.ts';
import type { SiteForm, SiteValues } from './site-values.ts';
import { newSiteValues, siteProblems, storedSiteValues, valuesLike } from './site-values.ts';

const words = messages.sites;

interface SiteFormProps {
  opened: boolean;
  siteId: string | undefined;
  /** a site that the new one is to be like */
  like?: string | undefined;
  /** the one to begin at, as its key in the form says; absent: the first */
  section?: string | undefined;
  onClose: () => void;
}

/** Adds a site, also one like another, or edits the one with `siteId`. Whatever the form does not show keeps its value. */
export function SiteFormModal(props: SiteFormProps) {
  const { siteId, like } = props;
  const [withRules, setWithRules] = useState(true);
  const mayCopyRules = usePermission('rule:create') && like !== undefined;
  const { form, ready, stored } = useStarted(props, () => setWithRules(true));
  const rulesOf = withRules && mayCopyRules ? like : undefined;
  const save = useSaveSite(rulesOf, props.onClose, (error) => form.setErrors(fieldErrorsOf(error)));
  return (
    <FormModal
      opened={props.opened}
      title={siteId === undefined ? words.addTitle : words.editTitle}
      submit={siteId === undefined ? words.create : words.update}
      busyLabel={words.saving}
      busy={save.isPending}
      dirty={ready && form.isDirty()}
      loading={!ready}
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
        <>
          {mayCopyRules ? (
            <Checkbox
              label={words.copyRules}
              checked={withRules}
              onChange={(event) => setWithRules(event.currentTarget.checked)}
            />
          ) : null}
          <SiteFields form={form} section={props.section} />
        </>
      ) : stored.isError ? (
        <ErrorState title={words.loadFailed} onRetry={() => void stored.refetch()} busy={stored.isFetching} />
      ) : (
        <Skeleton height={360} />
      )}
    </FormModal>
  );
}

/** The form of a site, filled anew each time that it opens. @param onStart called when it is */
function useStarted({ opened, siteId, like }: SiteFormProps, onStart: () => void) {
  const source = siteId ?? like;
  const stored = useQuery({ ...siteQuery(source ?? ''), enabled: opened && source !== undefined });
  const maySee = usePermission('settings:view');
  const general = useQuery({ ...generalQuery, enabled: opened && source === undefined && maySee });
  const form = useForm<SiteValues>({ initialValues: newSiteValues(), validate: siteProblems });
  const [shown, setShown] = useState<string>();
  const wanted = opened ? (source ?? 'new') : undefined;
  const values = source === undefined ? undefined : stored.data;

  useEffect(() => {
    if (wanted === shown) return;
    if (wanted !== undefined && wanted !== 'new' && !values) return;
    if (wanted === 'new' && general.isLoading) return;
    setShown(wanted);
    if (wanted === undefined) return;
    onStart();
    // Not setValues, which keeps what the last one had and this one has not: its id and version.
    form.setInitialValues(startOf(values, siteId, general.data?.healthCheckInterval));
    form.reset();
  }, [wanted, shown, values, siteId, general.isLoading, general.data, form, onStart]);

  return { form, stored, ready: wanted !== undefined && shown === wanted };
}

function startOf(
  values: object | undefined,
  siteId: string | undefined,
  interval: number | undefined,
): SiteValues {
  if (values === undefined) return newSiteValues(interval);
  return siteId === undefined ? valuesLike(values) : storedSiteValues(values);
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
